// kurisu-relay PORT SOCKET PROGRAM [ARGUMENT]…: listens on 127.0.0.1:PORT of the container's own loopback, passes every
// connection on to the Unix socket, and becomes PROGRAM. It holds no right that the program has not: what may be reached
// is for the gateway's proxy behind the socket to say. It ends with the container.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAIRS_MOST = 48, PIECE = 16 * 1024, CANNOT_START = 125, CANNOT_RUN = 126, NOT_FOUND = 127 };

// One direction of a connection: what was read from `from` and not yet written to `to`.
struct flow {
  int from, to;
  size_t begin, end;
  bool ended, passed_on;
  uint8_t bytes[PIECE];
};

// A connection of the program and the one to the proxy that belongs to it; -1 = the place is free.
static struct pair {
  int near, far;
  struct flow out, back;
} pairs[PAIRS_MOST];

_Noreturn static void give_up(const char *what) {
  fprintf(stderr, "kurisu-relay: %s: %s\n", what, strerror(errno));
  exit(CANNOT_START);
}

static int listen_on(uint16_t port) {
  struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0 || bind(fd, (struct sockaddr *)&here, sizeof here) != 0 || listen(fd, PAIRS_MOST) != 0) give_up("cannot listen");
  return fd;
}

static int reach(const struct sockaddr_un *proxy) {
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd >= 0 && connect(fd, (const struct sockaddr *)proxy, sizeof *proxy) == 0 && fcntl(fd, F_SETFL, O_NONBLOCK) == 0) return fd;
  if (fd >= 0) close(fd);
  return -1;
}

static void take_connection(int listener, struct pair *pair, const struct sockaddr_un *proxy) {
  int near = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (near < 0) return;
  int far = reach(proxy);
  if (far < 0) {
    close(near);
    return;
  }
  pair->near = near, pair->far = far;
  pair->out.from = near, pair->out.to = far;
  pair->back.from = far, pair->back.to = near;
  pair->out.begin = pair->out.end = pair->back.begin = pair->back.end = 0;
  pair->out.ended = pair->out.passed_on = pair->back.ended = pair->back.passed_on = false;
}

// False when the connection is broken.
static bool move(struct flow *flow) {
  if (flow->begin == flow->end && !flow->ended) {
    ssize_t count = read(flow->from, flow->bytes, PIECE);
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    flow->begin = 0, flow->end = (size_t)count, flow->ended = count == 0;
  }
  if (flow->begin < flow->end) {
    ssize_t count = send(flow->to, flow->bytes + flow->begin, flow->end - flow->begin, MSG_NOSIGNAL);
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    flow->begin += (size_t)count;
  }
  // Each direction ends by itself.
  if (flow->ended && !flow->passed_on) flow->passed_on = true, shutdown(flow->to, SHUT_WR);
  return true;
}

static short wanted(const struct flow *reading, const struct flow *writing) {
  short events = 0;
  if (!reading->ended && reading->begin == reading->end) events |= POLLIN;
  if (writing->begin < writing->end) events |= POLLOUT;
  return events;
}

_Noreturn static void relay(int listener, const struct sockaddr_un *proxy) {
  static struct pollfd polls[1 + 2 * PAIRS_MOST];
  for (;;) {
    struct pair *room = NULL;
    for (int index = 0; index < PAIRS_MOST; index++) {
      struct pair *pair = &pairs[index];
      // Asking for nothing still tells of an end on both sides, over and over: such a one is not asked at all.
      short near = pair->near < 0 ? 0 : wanted(&pair->out, &pair->back), far = pair->near < 0 ? 0 : wanted(&pair->back, &pair->out);
      polls[1 + 2 * index] = (struct pollfd){.fd = near == 0 ? -1 : pair->near, .events = near};
      polls[2 + 2 * index] = (struct pollfd){.fd = far == 0 ? -1 : pair->far, .events = far};
      if (pair->near < 0) room = pair;
    }
    polls[0] = (struct pollfd){.fd = room == NULL ? -1 : listener, .events = POLLIN};
    if (poll(polls, 1 + 2 * PAIRS_MOST, -1) < 0 && errno != EINTR) _exit(CANNOT_START);
    for (int index = 0; index < PAIRS_MOST; index++) {
      struct pair *pair = &pairs[index];
      if (pair->near < 0 || (polls[1 + 2 * index].revents | polls[2 + 2 * index].revents) == 0) continue;
      bool whole = move(&pair->out) && move(&pair->back);
      if (whole && !(pair->out.passed_on && pair->back.passed_on)) continue;
      close(pair->near), close(pair->far);
      pair->near = pair->far = -1;
    }
    if (polls[0].revents != 0) take_connection(listener, room, proxy);
  }
}

// A grandchild, so that the program has no child that it did not start.
static void start_relay(int listener, const struct sockaddr_un *proxy) {
  pid_t between = fork();
  if (between < 0) give_up("cannot start");
  if (between > 0) {
    int status = 0;
    while (waitpid(between, &status, 0) < 0 && errno == EINTR) continue;
    if (status != 0) errno = EAGAIN, give_up("cannot start");
    return;
  }
  pid_t pid = fork();
  if (pid != 0) _exit(pid < 0 ? 1 : 0);
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(nothing, 1) < 0 || dup2(nothing, 2) < 0) _exit(1);
  setsid();
  for (int index = 0; index < PAIRS_MOST; index++) pairs[index].near = pairs[index].far = -1;
  relay(listener, proxy);
}

int main(int count, char **arguments) {
  struct sockaddr_un proxy = {.sun_family = AF_UNIX};
  int port = count > 3 ? atoi(arguments[1]) : 0;
  if (port < 1 || port > 65535 || strlen(arguments[2]) >= sizeof proxy.sun_path) {
    fputs("kurisu-relay PORT SOCKET PROGRAM [ARGUMENT]...\n", stderr);
    return CANNOT_START;
  }
  strcpy(proxy.sun_path, arguments[2]);
  int listener = listen_on((uint16_t)port);
  start_relay(listener, &proxy);
  close(listener);
  execvp(arguments[3], arguments + 3);
  fprintf(stderr, "kurisu-relay: %s: %s\n", arguments[3], strerror(errno));
  return errno == ENOENT ? NOT_FOUND : CANNOT_RUN;
}
