// SPDX-License-Identifier: MIT
// The front of the studio's server: one thread that accepts connections, reads the heads of their requests and sends
// answers, and never waits for one of them. Only requests that were admitted get a thread of their own. The other
// connections ("strangers") hold nothing but a place in a table; when the table is full, the one that has made no
// progress for longest is closed.
#ifndef LOPE_CLI_STUDIO_FRONT_H
#define LOPE_CLI_STUDIO_FRONT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

#include "cli/studio/folder.h"
#include "cli/studio/head.h"

typedef struct studio_front studio_front;

// What is sent back: bytes, then a file.
typedef struct studio_reply {
    char *bytes; // belongs to the connection; NULL: the connection ends without an answer
    size_t size;
    int file;       // descriptor that belongs to the connection; -1: none
    long long left; // bytes of the file
} studio_reply;

typedef struct studio_connection studio_connection;
struct studio_connection {
    studio_head head;
    studio_route route;
    studio_reply reply;
    double deadline; // for what it is doing now, in seconds of studio_seconds()
    // The rest is the front's own.
    int socket;
    atomic_int state;
    bool admitted;          // has, or had, a thread
    double accepted, moved; // when; and when it last made progress, which bytes of an unfinished head are not
    pthread_t thread;
    size_t size, read;   // of `bytes`: filled, and taken by the head and by studio_receive
    size_t sent;         // of the reply's bytes
    off_t at;            // in the reply's file
    long long left;      // bytes of the body that studio_receive has not given yet
    long long discarded; // bytes that came after the answer
    studio_front *front;
    char bytes[STUDIO_MAX_HEAD];
};

// What to do with requests.
typedef struct studio_front_def {
    int port;             // 0: a free one
    double head_seconds;  // for the head of a request, from accepting to its blank line
    double move_seconds;  // for a body or an answer, besides its length
    double byte_rate;     // bytes per second that a body or an answer may count on
    double close_seconds; // for the other side to close after the answer; what it sends meanwhile is thrown away
    double stale_seconds; // without progress, after which a stranger may have to make room for another
    double old_seconds;   // since it was accepted, after which it may in any case
    int max_strangers;    // connections without a thread
    int max_admitted;     // connections with one
    // Called by the front's own thread with `head` filled: must not wait. Either sets the reply and returns false, or
    // returns true for a thread.
    bool (*admit)(void *user, studio_connection *connection);
    // Called by a thread of its own for admitted requests; sets the reply, or has sent everything itself.
    void (*work)(void *user, studio_connection *connection);
    // Sets the reply to a request that came to neither.
    void (*refuse)(studio_connection *connection, int status, const char *message);
    void *user;
} studio_front_def;

// Times and counts; functions and port are the caller's.
studio_front_def studio_front_default(void);
// Listens on 127.0.0.1; NULL with a problem where that fails. Requests are taken from studio_front_run on.
studio_front *studio_front_create(const studio_front_def *def, studio_problem *problem);
int studio_front_port(const studio_front *front);
bool studio_front_run(studio_front *front, studio_problem *problem);
// Ends all connections and waits for their threads.
void studio_front_destroy(studio_front *front);

// For `work`. False once the front is being destroyed: work that takes long gives up then.
bool studio_wanted(const studio_connection *connection);
// Receiving and sending end with the connection's deadline.
// Bytes of the body, as many as there are up to `size`; 0 at its end, and where the connection ends before.
size_t studio_receive(studio_connection *connection, void *out, size_t size);
// Sends at once, before any reply.
bool studio_send(studio_connection *connection, const void *bytes, size_t size);

#endif
