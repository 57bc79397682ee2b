#define _GNU_SOURCE
#include "stdin-buffer.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "bytes.h"
#include "die.h"
#include "output.h"
#include "protocol.h"

enum { REPORT_FROM = STDIN_WINDOW / 4 };

static uint8_t buffer[STDIN_WINDOW];
static size_t begin, end, taken;
static bool finished;

void reset_stdin(void) {
  begin = end = taken = 0;
  finished = false;
}

void keep_stdin(const uint8_t *bytes, size_t count) {
  if (finished) die(VIOLATION, "standard input after its end");
  if (count > STDIN_WINDOW - (end - begin) - taken) die(VIOLATION, "more standard input than the window");
  memmove(buffer, buffer + begin, end - begin);
  end -= begin;
  begin = 0;
  memcpy(buffer + end, bytes, count);
  end += count;
}

void finish_stdin(void) { finished = true; }

bool stdin_waits(void) { return end > begin; }

bool stdin_owes(void) { return taken >= REPORT_FROM || (taken > 0 && !stdin_waits()); }

void move_stdin(int *fd, uint32_t run) {
  while (stdin_waits()) {
    ssize_t count = *fd < 0 ? (ssize_t)(end - begin) : write(*fd, buffer + begin, end - begin);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) break;
    if (count < 0) {
      close(*fd);
      *fd = -1;
      continue;
    }
    begin += (size_t)count;
    taken += (size_t)count;
  }
  if (finished && !stdin_waits() && *fd >= 0) {
    close(*fd);
    *fd = -1;
  }
  if (stdin_owes() && output_room() > 0) {
    uint8_t body[4];
    put_number(body, 4, taken);
    queue_frame(OUT_STDIN_TAKEN, run, body, sizeof body);
    taken = 0;
  }
}
