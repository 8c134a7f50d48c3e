// SPDX-License-Identifier: MIT
// The front of the server with short deadlines: clients that drip are cut off, requests that are admitted are served.
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli/studio/front.h"
#include "support/support.h"

static studio_problem problem;
static atomic_int working, held;

static void reply(studio_connection *connection, const char *text)
{
    connection->reply.bytes = strdup(text);
    connection->reply.size = strlen(text);
}

static void refuse(studio_connection *connection, int status, const char *message)
{
    char text[32];
    (void)message;
    snprintf(text, sizeof text, "%d", status);
    reply(connection, text);
}

// /no is refused, /long gets more than anybody takes unread, all else gets a thread.
static bool admit(void *user, studio_connection *connection)
{
    (void)user;
    if (strcmp(connection->head.target, "/no") == 0)
        refuse(connection, 403, "");
    else if (strcmp(connection->head.target, "/long") == 0)
        connection->reply = (studio_reply){calloc(64, 1 << 20), 64 << 20, -1, 0};
    else
        return true;
    return false;
}

// Takes the body and says how much came; /hold waits while `held` is set, /endless until the front is ended.
static void work(void *user, studio_connection *connection)
{
    (void)user;
    char bytes[256], text[64];
    long long all = 0;
    working++;
    for (size_t got = 1; all < connection->head.length && got > 0; all += (long long)got)
        got = studio_receive(connection, bytes, sizeof bytes);
    while (strcmp(connection->head.target, "/hold") == 0 && held)
        usleep(1000);
    while (strcmp(connection->head.target, "/endless") == 0 && studio_wanted(connection))
        usleep(1000);
    snprintf(text, sizeof text, "%lld bytes", all);
    reply(connection, text);
    working--;
}

static studio_front_def test_def(double head_seconds, double move_seconds)
{
    studio_front_def def = studio_front_default();
    def.head_seconds = head_seconds;
    def.move_seconds = move_seconds;
    def.close_seconds = 0.2;
    def.max_strangers = 8;
    def.max_admitted = 2;
    def.admit = admit;
    def.work = work;
    def.refuse = refuse;
    return def;
}

static studio_front *run(const studio_front_def *def)
{
    studio_front *front = studio_front_create(def, &problem);
    assert_non_null(front);
    assert_true(studio_front_run(front, &problem));
    return front;
}

static studio_front *start(double head_seconds, double move_seconds)
{
    studio_front_def def = test_def(head_seconds, move_seconds);
    return run(&def);
}

// A connection that has said `text`. Waits up to 20 s for whatever is asked of it later.
static int say(const studio_front *front, const char *text)
{
    struct sockaddr_in where = {.sin_family = AF_INET, .sin_port = htons((uint16_t)studio_front_port(front))};
    where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int client = socket(AF_INET, SOCK_STREAM, 0);
    struct timeval patience = {.tv_sec = 20};
    setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    assert_int_equal(connect(client, (struct sockaddr *)&where, sizeof where), 0);
    assert_int_equal(send(client, text, strlen(text), MSG_NOSIGNAL), strlen(text));
    return client;
}

// All that comes until the other side closes.
static const char *hear(int client)
{
    static char text[256];
    size_t size = 0;
    for (ssize_t got; size < sizeof text - 1; size += (size_t)got)
        if ((got = recv(client, text + size, sizeof text - 1 - size, 0)) <= 0)
            break;
    text[size] = 0;
    close(client);
    return text;
}

// Drips bytes until the other side ends the connection. The seconds that this took.
static double drip(int client)
{
    double begun = studio_seconds();
    while (studio_seconds() < begun + 20.0 && send(client, "x", 1, MSG_NOSIGNAL) == 1)
        usleep(10000);
    return studio_seconds() - begun;
}

static void test_requests(void **state)
{
    (void)state;
    studio_front *front = start(10.0, 10.0);
    assert_string_equal(hear(say(front, "GET /no HTTP/1.1\r\n\r\n")), "403");
    assert_string_equal(hear(say(front, "nonsense\r\n\r\n")), "400");
    assert_string_equal(hear(say(front, "PUT /a HTTP/1.1\r\nContent-Length: 5\r\n\r\nhellomore")), "5 bytes");
    assert_string_equal(hear(say(front, "GET /a HTTP/1.1\r\n\r\n")), "0 bytes");
    int client = say(front, "PUT /a HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n");
    char text[25];
    assert_int_equal(recv(client, text, sizeof text, MSG_WAITALL), sizeof text);
    assert_memory_equal(text, "HTTP/1.1 100 Continue\r\n\r\n", sizeof text);
    assert_int_equal(send(client, "hello", 5, MSG_NOSIGNAL), 5);
    assert_string_equal(hear(client), "5 bytes");
    char *longest = malloc(STUDIO_MAX_HEAD + 1);
    memset(longest, 'x', STUDIO_MAX_HEAD);
    longest[STUDIO_MAX_HEAD] = 0;
    assert_string_equal(hear(say(front, longest)), "431");
    free(longest);
    studio_front_destroy(front);
}

// Deadlines hold for the whole head, the whole body, the whole answer, however steadily bytes drip.
static void test_deadlines(void **state)
{
    (void)state;
    studio_front *front = start(0.5, 0.5);
    int client = say(front, "GET / HTTP/1.1\r\nX: ");
    assert_true(drip(client) < 10.0);
    close(client);
    client = say(front, "PUT /a HTTP/1.1\r\nContent-Length: 100000\r\n\r\n");
    assert_true(drip(client) < 10.0);
    close(client);
    // A refused body is not waited for: the answer is there before the body, and then the connection ends.
    client = say(front, "PUT /no HTTP/1.1\r\nContent-Length: 100000\r\n\r\n");
    char text[3];
    assert_int_equal(recv(client, text, sizeof text, MSG_WAITALL), 3);
    assert_memory_equal(text, "403", 3);
    assert_true(drip(client) < 10.0);
    close(client);
    client = say(front, "GET /long HTTP/1.1\r\n\r\n"); // and nothing is read
    assert_true(drip(client) < 10.0);
    close(client);
    studio_front_destroy(front);
}

// When the table is full, the stranger without progress is closed, and new connections are served.
static void test_full(void **state)
{
    (void)state;
    studio_front *front = start(60.0, 60.0);
    int strangers[9];
    for (int i = 0; i < 9; i++)
        strangers[i] = say(front, "GET /");
    assert_string_equal(hear(strangers[0]), "");
    assert_string_equal(hear(say(front, "GET /a HTTP/1.1\r\n\r\n")), "0 bytes");
    held = 1;
    int holding[2];
    for (int i = 0; i < 2; i++)
        holding[i] = say(front, "GET /hold HTTP/1.1\r\n\r\n");
    while (working < 2)
        usleep(1000);
    assert_string_equal(hear(say(front, "GET /a HTTP/1.1\r\n\r\n")), "503");
    for (int i = 1; i < 9; i++)
        close(strangers[i]);
    held = 0;
    for (int i = 0; i < 2; i++)
        assert_string_equal(hear(holding[i]), "0 bytes");
    studio_front_destroy(front);
}

// A flood of strangers does not push out a client that needs a moment to ask: the flood waits in the queue.
static void test_crowding(void **state)
{
    (void)state;
    studio_front_def def = test_def(60.0, 60.0);
    def.stale_seconds = def.old_seconds = 60.0;
    studio_front *front = run(&def);
    int client = say(front, "GET /a HTT"), strangers[40];
    for (int i = 0; i < 40; i++)
        strangers[i] = say(front, "");
    assert_int_equal(send(client, "P/1.1\r\n\r\n", 9, MSG_NOSIGNAL), 9);
    assert_string_equal(hear(client), "0 bytes");
    for (int i = 0; i < 40; i++)
        close(strangers[i]);
    assert_string_equal(hear(say(front, "GET /a HTTP/1.1\r\n\r\n")), "0 bytes");
    studio_front_destroy(front);
}

// Ending the front ends connections that are read, worked on and sent to.
static void test_ending(void **state)
{
    (void)state;
    studio_front *front = start(60.0, 60.0);
    int reading = say(front, "GET /"), sending = say(front, "GET /long HTTP/1.1\r\n\r\n");
    int receiving = say(front, "PUT /a HTTP/1.1\r\nContent-Length: 10\r\n\r\n");
    int endless = say(front, "GET /endless HTTP/1.1\r\n\r\n");
    while (working < 2)
        usleep(1000);
    studio_front_def def = studio_front_default();
    def.port = studio_front_port(front);
    assert_null(studio_front_create(&def, &problem));
    assert_non_null(strstr(problem.message, "cannot listen on 127.0.0.1:"));
    studio_front_destroy(front);
    assert_int_equal(working, 0);
    close(reading);
    close(sending);
    close(receiving);
    close(endless);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_requests), cmocka_unit_test(test_deadlines),
                                       cmocka_unit_test(test_full), cmocka_unit_test(test_crowding),
                                       cmocka_unit_test(test_ending)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
