// PID 1 of a session's container: runs one command at a time for the gateway and leaves nothing of it behind. See protocol.md.
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "bytes.h"
#include "die.h"
#include "input.h"
#include "output.h"
#include "protocol.h"
#include "run.h"
#include "setup.h"

static void say_hello(void) {
  uint8_t body[] = "kurisu-runner\0......";
  put_number(body + 14, 2, PROTOCOL_VERSION);
  put_number(body + 16, 4, STDIN_WINDOW);
  queue_frame(OUT_HELLO, 0, body, 20);
}

static void take_frame(const struct frame *frame) {
  switch (frame->type) {
    case IN_RUN: return begin_run(frame);
    case IN_STDIN: return take_stdin(frame);
    case IN_STDIN_END: return end_stdin(frame);
    case IN_KILL: return kill_run(frame);
    case IN_PING:
      if (frame->length > PING_MOST || frame->run != 0) die(VIOLATION, "a ping is malformed");
      return queue_frame(OUT_PONG, 0, frame->body, frame->length);
    default: die(VIOLATION, "a frame of an unknown type");
  }
}

static void take_frames(void) {
  struct frame frame;
  if (!read_input(0)) die(GATEWAY_GONE, "");
  while (next_frame(&frame)) take_frame(&frame);
}

static void forget_signals(int ended) {
  struct signalfd_siginfo signals[4];
  // Which process it was, waitpid says; a command can send this signal too.
  ssize_t count = read(ended, signals, sizeof signals);
  if (count < 0 && errno != EAGAIN && errno != EINTR) die(SETUP_FAILED, "it cannot hear of processes");
}

int main(void) {
  int ended = set_up();
  say_hello();
  for (;;) {
    advance_run();
    if (!flush_output(1)) die(GATEWAY_GONE, "");
    struct pollfd polls[3 + RUN_POLLS] = {
        {.fd = 0, .events = POLLIN},
        {.fd = 1, .events = output_waits() ? POLLOUT : 0},
        {.fd = ended, .events = POLLIN},
    };
    int limit_ms = prepare_run(polls + 3);
    if (poll(polls, 3 + RUN_POLLS, limit_ms) < 0 && errno != EINTR) die(SETUP_FAILED, "it cannot wait");
    if (polls[1].revents & (POLLERR | POLLNVAL)) die(GATEWAY_GONE, "");
    if (polls[2].revents != 0) forget_signals(ended);
    if (polls[0].revents != 0) take_frames();
  }
}
