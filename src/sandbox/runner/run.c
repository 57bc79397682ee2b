#define _GNU_SOURCE
#include "run.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bytes.h"
#include "child.h"
#include "clock.h"
#include "die.h"
#include "input.h"
#include "memory-kills.h"
#include "output.h"
#include "protocol.h"
#include "request.h"
#include "shared-memory.h"
#include "stdin-buffer.h"

// idle -> at work -> ending (all is killed, until the last one is reaped) -> draining (what they wrote) -> idle
enum phase { IDLE, AT_WORK, ENDING, DRAINING };

enum { KILL_AGAIN_MS = 20 };

static struct {
  enum phase phase;
  // Of this run, or of the last one; and of any that was asked for.
  uint32_t number, highest;
  struct child child;
  int status;
  uint8_t flags;
  uint32_t left[2];
  int64_t begun_us, ended_us, deadline_us;
  long long memory_kills;
  struct failure failure;
} run;

static void refuse(uint32_t number, enum refusal reason, const char *text) {
  uint8_t body[256] = {(uint8_t)reason};
  size_t length = strnlen(text, sizeof body - 1);
  memcpy(body + 1, text, length);
  queue_frame(OUT_REFUSED, number, body, 1 + length);
}

void begin_run(const struct frame *frame) {
  struct request request;
  read_request(frame, &request);
  if (frame->run <= run.highest) die(VIOLATION, "the number of a run does not go up");
  run.highest = frame->run;
  if (run.phase != IDLE) {
    refuse(frame->run, REFUSED_BUSY, "a command is at work");
    return;
  }
  run.number = frame->run;
  run.status = 0;
  run.flags = 0;
  run.left[0] = run.left[1] = request.output_limit;
  run.failure = (struct failure){0};
  run.memory_kills = count_memory_kills();
  run.begun_us = run.ended_us = now_us();
  run.deadline_us = run.begun_us + (int64_t)request.time_limit_ms * 1000;
  if (start_child(&request, &run.child) != 0) {
    refuse(run.number, REFUSED_RESOURCES, strerror(errno));
    return;
  }
  reset_stdin();
  run.phase = AT_WORK;
}

static bool is_current(const struct frame *frame) {
  if (frame->run > run.highest) die(VIOLATION, "a frame for a run that was not asked for");
  return frame->run == run.number && run.phase != IDLE;
}

void take_stdin(const struct frame *frame) {
  if (is_current(frame)) keep_stdin(frame->body, frame->length);
}

void end_stdin(const struct frame *frame) {
  if (is_current(frame)) finish_stdin();
}

static void close_end(int *fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

// One kill reaches every process there is, and none can fork its way out of it: the kernel gives a fork up when its process
// is being killed. The state is kept until there is nobody left to wait for.
static void begin_end(uint8_t flag) {
  if (run.phase != AT_WORK) return;
  run.flags |= flag;
  run.phase = ENDING;
  kill(-1, SIGKILL);
}

void kill_run(const struct frame *frame) {
  if (is_current(frame)) begin_end(EXIT_KILLED);
}

// Whether the program has taken over or what it failed at, as soon as that is known.
static void read_report(void) {
  if (run.child.report < 0) return;
  ssize_t count = read(run.child.report, &run.failure, sizeof run.failure);
  if (count < 0) return;
  close_end(&run.child.report);
  if (count == 0 && run.phase == AT_WORK) queue_frame(OUT_STARTED, run.number, NULL, 0);
}

static void reap(void) {
  for (;;) {
    int status;
    pid_t pid = waitpid(-1, &status, WNOHANG | __WALL);
    if (pid > 0 && pid == run.child.pid) {
      read_report();
      run.status = status;
      run.child.pid = -1;
      run.ended_us = now_us();
      begin_end(0);
    }
    if (pid > 0) continue;
    if (pid < 0 && errno == ECHILD && run.phase == ENDING) run.phase = DRAINING;
    return;
  }
}

// Moves one piece. False when there is none, or no room for it.
static bool move_piece(int stream, int *fd) {
  static uint8_t piece[OUTPUT_PIECE];
  size_t room = output_room();
  if (*fd < 0 || room == 0) return false;
  ssize_t count = read(*fd, piece, room);
  if (count < 0 && errno == EINTR) return true;
  if (count < 0 && errno == EAGAIN && run.phase != DRAINING) return false;
  // Nobody is left who could write: nothing to read means the end, even if the other end is held somewhere.
  if (count <= 0) {
    close_end(fd);
    return false;
  }
  size_t kept = (size_t)count < run.left[stream] ? (size_t)count : run.left[stream];
  run.left[stream] -= (uint32_t)kept;
  if (kept > 0) queue_frame(stream == 0 ? OUT_STDOUT : OUT_STDERR, run.number, piece, kept);
  if (kept == (size_t)count) return true;
  run.flags |= EXIT_TRUNCATED;
  // Killed first: a pipe without a reader would end it by SIGPIPE.
  begin_end(0);
  close_end(fd);
  return false;
}

// By turns, so that a flood on one stream never keeps the other one waiting.
static void move_output(void) {
  for (bool moved = true; moved;) {
    moved = move_piece(0, &run.child.out);
    moved = move_piece(1, &run.child.err) || moved;
  }
}

static void report_end(void) {
  remove_shared_memory();
  close_end(&run.child.in);
  close_end(&run.child.report);
  run.phase = IDLE;
  if (run.failure.refusal != 0) {
    refuse(run.number, run.failure.refusal, strerror(run.failure.error));
    return;
  }
  long long kills = count_memory_kills();
  bool known = kills >= 0 && run.memory_kills >= 0;
  uint8_t body[15];
  body[0] = WIFSIGNALED(run.status) ? 1 : 0;
  body[1] = (uint8_t)(WIFSIGNALED(run.status) ? WTERMSIG(run.status) : WEXITSTATUS(run.status));
  body[2] = run.flags | (known ? EXIT_MEMORY_KNOWN : 0);
  put_number(body + 3, 4, known ? (uint64_t)(kills - run.memory_kills) : 0);
  put_number(body + 7, 8, (uint64_t)(run.ended_us - run.begun_us));
  queue_frame(OUT_EXIT, run.number, body, sizeof body);
}

int prepare_run(struct pollfd *polls) {
  bool room = output_room() > 0;
  polls[0] = (struct pollfd){.fd = run.phase == IDLE || !stdin_waits() ? -1 : run.child.in, .events = POLLOUT};
  polls[1] = (struct pollfd){.fd = room && run.phase != IDLE ? run.child.out : -1, .events = POLLIN};
  polls[2] = (struct pollfd){.fd = room && run.phase != IDLE ? run.child.err : -1, .events = POLLIN};
  polls[3] = (struct pollfd){.fd = run.phase == IDLE ? -1 : run.child.report, .events = POLLIN};
  if (run.phase == IDLE) return -1;
  if (room && stdin_owes()) return 0;
  if (run.phase == DRAINING) return -1;
  if (run.phase == ENDING) return KILL_AGAIN_MS;
  int64_t left_ms = (run.deadline_us - now_us() + 999) / 1000;
  return left_ms < 0 ? 0 : left_ms > 60000 ? 60000 : (int)left_ms;
}

void advance_run(void) {
  reap();
  if (run.phase == IDLE) return;
  read_report();
  if (run.phase == AT_WORK && now_us() >= run.deadline_us) begin_end(EXIT_TIMED_OUT);
  move_stdin(&run.child.in, run.number);
  move_output();
  if (run.phase == ENDING) {
    kill(-1, SIGKILL);
    reap();
  }
  if (run.phase == DRAINING) {
    move_output();
    if (run.child.out < 0 && run.child.err < 0) report_end();
  }
}
