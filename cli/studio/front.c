// SPDX-License-Identifier: MIT
// The front: poll() over all connections of strangers. A connection is read until its head is whole, then answered, or
// worked on by a thread and then answered; after the answer it is read a little longer, because closing a socket with
// unread bytes would take the answer back. Each of these has a deadline in all, however steadily bytes drip.
#define _GNU_SOURCE // accept4, pipe2: children must not inherit sockets
#include "cli/studio/front.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { READING, WORKING, DONE, SENDING, CLOSING, ENDED };
// Bytes that are thrown away after an answer that a stranger got.
enum { MAX_DISCARDED = 1 << 20 };
#define LONGEST_WAIT 3600.0 // seconds at a time

struct studio_front {
    studio_front_def def;
    int listener, port;
    int wake[2]; // a pipe that ends the wait of the front's thread
    bool running;
    bool resting; // no place or no descriptor is left: does not accept for a moment
    atomic_bool stopping;
    pthread_t thread;
    int count, capacity;
    studio_connection **connections; // oldest first
    struct pollfd *polled;           // wake, listener, connections
    char block[STUDIO_BLOCK];
};

studio_front_def studio_front_default(void)
{
    return (studio_front_def){.head_seconds = 10.0,
                              .move_seconds = 30.0,
                              .byte_rate = 256.0 * 1024.0,
                              .close_seconds = 1.0,
                              .stale_seconds = 0.1,
                              .old_seconds = 1.0,
                              .max_strangers = 256,
                              .max_admitted = 48};
}

static void wake_up(studio_front *front)
{
    while (write(front->wake[1], "", 1) < 0 && errno == EINTR)
        ;
}

static void set_state(studio_connection *connection, int state, double seconds)
{
    connection->state = state;
    connection->moved = studio_seconds();
    connection->deadline = connection->moved + seconds;
}

static double move_seconds(const studio_front *front, long long bytes)
{
    return front->def.move_seconds + (double)(bytes > 0 ? bytes : 0) / front->def.byte_rate;
}

// --- what a thread may call
bool studio_wanted(const studio_connection *connection)
{
    return !connection->front->stopping;
}

// Waits for the socket until the deadline.
static bool wait_for(const studio_connection *connection, short events)
{
    struct pollfd polled = {connection->socket, events, 0};
    double left = connection->deadline - studio_seconds();
    if (left <= 0.0)
        return false;
    int ready = poll(&polled, 1, (int)(1000.0 * (left < LONGEST_WAIT ? left : LONGEST_WAIT)) + 1);
    return ready > 0 || (ready < 0 && errno == EINTR);
}

bool studio_send(studio_connection *connection, const void *bytes, size_t size)
{
    for (const char *at = bytes; size > 0;) {
        ssize_t sent = send(connection->socket, at, size, MSG_NOSIGNAL);
        if (sent < 0 && errno != EAGAIN && errno != EINTR)
            return false;
        if (sent < 0 && !wait_for(connection, POLLOUT))
            return false;
        at += sent > 0 ? sent : 0;
        size -= (size_t)(sent > 0 ? sent : 0);
    }
    return true;
}

// What came along with the head.
static size_t take_early(studio_connection *connection, void *out, size_t size)
{
    size_t there = connection->size - connection->read;
    size = size < there ? size : there;
    memcpy(out, connection->bytes + connection->read, size);
    connection->read += size;
    return size;
}

static size_t wait_and_receive(const studio_connection *connection, void *out, size_t size)
{
    while (wait_for(connection, POLLIN)) {
        ssize_t got = recv(connection->socket, out, size, 0);
        if (got >= 0)
            return (size_t)got;
        if (errno != EAGAIN && errno != EINTR)
            break;
    }
    return 0;
}

size_t studio_receive(studio_connection *connection, void *out, size_t size)
{
    static const char go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";
    if (connection->left < (long long)size)
        size = connection->left > 0 ? (size_t)connection->left : 0;
    if (size == 0)
        return 0;
    size_t got = take_early(connection, out, size);
    bool asks = got == 0 && connection->head.expects_continue;
    connection->head.expects_continue = false;
    if (asks && !studio_send(connection, go_on, sizeof go_on - 1))
        return 0;
    if (got == 0)
        got = wait_and_receive(connection, out, size);
    connection->left -= (long long)got;
    return got;
}

static void *work(void *user)
{
    studio_connection *connection = user;
    studio_front *front = connection->front;
    front->def.work(front->def.user, connection);
    connection->state = DONE;
    wake_up(front);
    return NULL;
}

// --- the front's own thread
static void begin_sending(studio_front *front, studio_connection *connection)
{
    set_state(connection, SENDING, move_seconds(front, connection->reply.left));
}

static void refuse(studio_front *front, studio_connection *connection, int status, const char *message)
{
    front->def.refuse(connection, status, message);
    begin_sending(front, connection);
}

static int count_admitted(const studio_front *front)
{
    int count = 0;
    for (int i = 0; i < front->count; i++)
        count += front->connections[i]->admitted;
    return count;
}

static void begin_working(studio_front *front, studio_connection *connection)
{
    pthread_attr_t attributes;
    pthread_t thread;
    if (count_admitted(front) >= front->def.max_admitted) {
        refuse(front, connection, 503, "too much is asked at once; ask again");
        return;
    }
    set_state(connection, WORKING, move_seconds(front, connection->head.length));
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 1 << 20);
    connection->admitted = pthread_create(&thread, &attributes, work, connection) == 0;
    pthread_attr_destroy(&attributes);
    if (connection->admitted)
        connection->thread = thread;
    else
        refuse(front, connection, 503, "the system has no thread left");
}

static void read_head(studio_front *front, studio_connection *connection)
{
    size_t before = connection->size;
    ssize_t got = recv(connection->socket, connection->bytes + before, sizeof connection->bytes - before, 0);
    if (got <= 0) {
        connection->state = got < 0 && (errno == EAGAIN || errno == EINTR) ? READING : ENDED;
        return;
    }
    connection->size += (size_t)got;
    connection->read = studio_head_size(connection->bytes, connection->size, before);
    if (connection->read == 0) {
        if (connection->size == sizeof connection->bytes)
            refuse(front, connection, 431, "the head of the request is too long");
        return;
    }
    studio_verdict verdict = studio_parse_head(connection->bytes, connection->read, &connection->head);
    connection->left = connection->head.length;
    if (verdict.status)
        refuse(front, connection, verdict.status, verdict.message);
    else if (front->def.admit(front->def.user, connection))
        begin_working(front, connection);
    else
        begin_sending(front, connection);
}

// The next bytes of the reply: of its text, then of its file. 0: that was all, < 0: the file cannot be read.
static ssize_t next_bytes(studio_front *front, studio_connection *connection, const char **bytes)
{
    studio_reply *reply = &connection->reply;
    if (connection->sent < reply->size) {
        *bytes = reply->bytes + connection->sent;
        return (ssize_t)(reply->size - connection->sent);
    }
    if (reply->file < 0 || reply->left <= 0)
        return 0;
    size_t size = reply->left < (long long)sizeof front->block ? (size_t)reply->left : sizeof front->block;
    *bytes = front->block;
    ssize_t got = pread(reply->file, front->block, size, connection->at);
    return got > 0 ? got : -1; // cut off in the middle: the length in the head tells the browser
}

static void send_reply(studio_front *front, studio_connection *connection)
{
    const char *bytes;
    ssize_t size = next_bytes(front, connection, &bytes);
    if (size <= 0) {
        shutdown(connection->socket, SHUT_WR);
        bool says_more = connection->admitted && connection->left > 0;
        set_state(connection, size < 0 ? ENDED : CLOSING,
                  says_more ? front->def.move_seconds : front->def.close_seconds);
        return;
    }
    ssize_t sent = send(connection->socket, bytes, (size_t)size, MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN && errno != EINTR)
        connection->state = ENDED;
    if (sent <= 0)
        return;
    connection->moved = studio_seconds();
    if (connection->sent < connection->reply.size) {
        connection->sent += (size_t)sent;
    } else {
        connection->at += sent;
        connection->reply.left -= sent;
    }
}

static void discard(studio_front *front, studio_connection *connection)
{
    ssize_t got = recv(connection->socket, front->block, sizeof front->block, 0);
    connection->discarded += got > 0 ? got : 0;
    bool again = got < 0 && (errno == EAGAIN || errno == EINTR);
    if ((got <= 0 && !again) || (!connection->admitted && connection->discarded > MAX_DISCARDED))
        connection->state = ENDED;
}

static void end(studio_connection *connection)
{
    close(connection->socket);
    if (connection->reply.file >= 0)
        close(connection->reply.file);
    free(connection->reply.bytes);
    free(connection);
}

// Forgets the connections that have ended; the others keep their order.
static void sweep(studio_front *front)
{
    int kept = 0;
    for (int i = 0; i < front->count; i++) {
        if (front->connections[i]->state == ENDED)
            end(front->connections[i]);
        else
            front->connections[kept++] = front->connections[i];
    }
    front->count = kept;
}

// Makes room by closing the stranger that has made no progress for longest. New ones and ones that are being sent
// something stay: on a busy machine an honest browser needs a moment, and a flood of short connections must not push it
// out.
static bool drop_stranger(studio_front *front)
{
    double now = studio_seconds();
    studio_connection *victim = NULL;
    for (int i = 0; i < front->count; i++) {
        studio_connection *connection = front->connections[i];
        bool may_go = connection->state == CLOSING || now - connection->moved > front->def.stale_seconds ||
                      now - connection->accepted > front->def.old_seconds;
        if (!connection->admitted && may_go && (!victim || connection->moved < victim->moved))
            victim = connection;
    }
    if (!victim)
        return false;
    victim->state = ENDED;
    sweep(front);
    return true;
}

static void take_connection(studio_front *front, int socket)
{
    studio_connection *connection = front->count < front->capacity ? malloc(sizeof *connection) : NULL;
    if (!connection) {
        close(socket);
        return;
    }
    memset(connection, 0, offsetof(studio_connection, bytes));
    connection->socket = socket;
    connection->front = front;
    connection->reply.file = -1;
    set_state(connection, READING, front->def.head_seconds);
    connection->accepted = connection->moved;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    front->connections[front->count++] = connection;
}

static bool is_full(const studio_front *front)
{
    return front->count - count_admitted(front) >= front->def.max_strangers;
}

// Accepts new connections, up to a quarter of the table at a time. Without room for them, they wait in the listener's
// queue for a moment.
static void accept_some(studio_front *front)
{
    for (int i = 0; i < front->def.max_strangers / 4 + 1; i++) {
        front->resting = is_full(front) && !drop_stranger(front);
        int socket = front->resting ? -1 : accept4(front->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (socket >= 0) {
            take_connection(front, socket);
            continue;
        }
        bool none_left = errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
        if (!front->resting && none_left)
            front->resting = !drop_stranger(front);
        return;
    }
}

// What a thread has left: its answer, or nothing where it has sent everything itself.
static void take_back(studio_front *front, studio_connection *connection)
{
    pthread_join(connection->thread, NULL);
    begin_sending(front, connection);
}

// Goes on with a connection that no thread has.
static void advance(studio_front *front, studio_connection *connection)
{
    int state = connection->state;
    if (state == READING)
        read_head(front, connection);
    else if (state == SENDING)
        send_reply(front, connection);
    else if (state == CLOSING)
        discard(front, connection);
}

// What to wait for, and how long in milliseconds.
static int fill_polled(studio_front *front)
{
    double now = studio_seconds(), nearest = now + (front->resting ? 0.01 : LONGEST_WAIT);
    front->polled[0] = (struct pollfd){front->wake[0], POLLIN, 0};
    front->polled[1] = (struct pollfd){front->listener, front->resting ? 0 : POLLIN, 0};
    front->resting = false;
    for (int i = 0; i < front->count; i++) {
        const studio_connection *connection = front->connections[i];
        int state = connection->state;
        bool waits = state == READING || state == SENDING || state == CLOSING;
        front->polled[i + 2] = (struct pollfd){waits ? connection->socket : -1, state == SENDING ? POLLOUT : POLLIN, 0};
        if (waits && connection->deadline < nearest)
            nearest = connection->deadline;
    }
    return nearest <= now ? 0 : (int)(1000.0 * (nearest - now)) + 1;
}

static void turn(studio_front *front)
{
    poll(front->polled, (nfds_t)front->count + 2, fill_polled(front));
    double now = studio_seconds();
    if (front->polled[0].revents && read(front->wake[0], front->block, sizeof front->block) < 0)
        front->polled[0].revents = 0; // nothing to read after all
    for (int i = 0; i < front->count; i++) {
        studio_connection *connection = front->connections[i];
        if (connection->state == DONE)
            take_back(front, connection);
        else if (front->polled[i + 2].revents)
            advance(front, connection);
        else if (front->polled[i + 2].fd >= 0 && now > connection->deadline)
            connection->state = ENDED;
    }
    sweep(front);
    if (front->polled[1].revents)
        accept_some(front);
}

static void *run(void *user)
{
    studio_front *front = user;
    while (!front->stopping)
        turn(front);
    return NULL;
}

// --- making and ending it
static bool listen_on(studio_front *front)
{
    struct sockaddr_in where = {.sin_family = AF_INET, .sin_port = htons((uint16_t)front->def.port)};
    socklen_t size = sizeof where;
    where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    front->listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (front->listener < 0)
        return false;
    setsockopt(front->listener, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
    // Inherited by connections: a client that does not read its answer ties up no more memory than this.
    setsockopt(front->listener, SOL_SOCKET, SO_SNDBUF, &(int){4 * STUDIO_BLOCK}, sizeof(int));
    if (bind(front->listener, (struct sockaddr *)&where, size) != 0 || listen(front->listener, SOMAXCONN) != 0 ||
        getsockname(front->listener, (struct sockaddr *)&where, &size) != 0)
        return false;
    front->port = ntohs(where.sin_port);
    return true;
}

studio_front *studio_front_create(const studio_front_def *def, studio_problem *problem)
{
    studio_front *front = calloc(1, sizeof *front);
    if (!front) {
        studio_fail(problem, 500, "out of memory");
        return NULL;
    }
    front->def = *def;
    front->listener = front->wake[0] = front->wake[1] = -1;
    front->capacity = def->max_strangers + def->max_admitted;
    front->connections = calloc((size_t)front->capacity, sizeof *front->connections);
    front->polled = calloc((size_t)front->capacity + 2, sizeof *front->polled);
    if (!front->connections || !front->polled)
        studio_fail(problem, 500, "out of memory");
    else if (pipe2(front->wake, O_CLOEXEC | O_NONBLOCK) == 0 && listen_on(front))
        return front;
    else
        studio_fail(problem, 500, "cannot listen on 127.0.0.1:%d: %s", def->port, strerror(errno));
    studio_front_destroy(front);
    return NULL;
}

int studio_front_port(const studio_front *front)
{
    return front->port;
}

bool studio_front_run(studio_front *front, studio_problem *problem)
{
    front->running = pthread_create(&front->thread, NULL, run, front) == 0;
    return front->running || studio_fail(problem, 500, "the system has no thread left");
}

void studio_front_destroy(studio_front *front)
{
    if (!front)
        return;
    front->stopping = true;
    wake_up(front);
    if (front->running)
        pthread_join(front->thread, NULL);
    for (int i = 0; i < front->count; i++) {
        studio_connection *connection = front->connections[i];
        shutdown(connection->socket, SHUT_RDWR); // its thread hears that
        if (connection->state == WORKING || connection->state == DONE)
            pthread_join(connection->thread, NULL);
        end(connection);
    }
    const int descriptors[] = {front->listener, front->wake[0], front->wake[1]};
    for (int i = 0; i < 3; i++)
        if (descriptors[i] >= 0)
            close(descriptors[i]);
    free(front->connections);
    free(front->polled);
    free(front);
}
