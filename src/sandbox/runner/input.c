#define _GNU_SOURCE
#include "input.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "bytes.h"
#include "die.h"
#include "protocol.h"

static uint8_t buffer[HEADER_BYTES + BODY_MOST];
static size_t begin, end;

bool read_input(int fd) {
  memmove(buffer, buffer + begin, end - begin);
  end -= begin;
  begin = 0;
  // There is room: next_frame has taken every whole frame, and a frame in part is shorter than the buffer.
  ssize_t count = read(fd, buffer + end, sizeof buffer - end);
  if (count > 0) end += (size_t)count;
  if (count < 0 && errno != EAGAIN && errno != EINTR) return false;
  return count != 0;
}

bool next_frame(struct frame *frame) {
  const uint8_t *at = buffer + begin;
  if (end - begin < HEADER_BYTES) return false;
  uint32_t length = get_number(at, 4);
  if (length > BODY_MOST) die(VIOLATION, "a frame is too large");
  if (end - begin - HEADER_BYTES < length) return false;
  *frame = (struct frame){.type = at[4], .run = get_number(at + 5, 4), .body = at + HEADER_BYTES, .length = length};
  begin += HEADER_BYTES + length;
  return true;
}
