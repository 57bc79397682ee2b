#define _GNU_SOURCE
#include "output.h"

#include <errno.h>
#include <string.h>
#include <sys/uio.h>

#include "bytes.h"
#include "die.h"
#include "protocol.h"

enum { QUEUE_BYTES = 128 * 1024, KEPT_FREE = 8 * 1024 };

static uint8_t ring[QUEUE_BYTES];
static size_t begin, used;

static void append(const uint8_t *bytes, size_t count) {
  size_t at = (begin + used) % QUEUE_BYTES, first = count < QUEUE_BYTES - at ? count : QUEUE_BYTES - at;
  memcpy(ring + at, bytes, first);
  memcpy(ring, bytes + first, count - first);
  used += count;
}

size_t output_room(void) {
  size_t taken = used + KEPT_FREE + HEADER_BYTES;
  if (taken >= QUEUE_BYTES) return 0;
  size_t room = QUEUE_BYTES - taken;
  return room < OUTPUT_PIECE ? room : OUTPUT_PIECE;
}

void queue_frame(uint8_t type, uint32_t run, const void *body, size_t length) {
  if (HEADER_BYTES + length > QUEUE_BYTES - used) die(VIOLATION, "too many answers are left unread");
  uint8_t header[HEADER_BYTES];
  put_number(header, 4, length);
  header[4] = type;
  put_number(header + 5, 4, run);
  append(header, HEADER_BYTES);
  if (length > 0) append(body, length);
}

bool output_waits(void) { return used > 0; }

bool flush_output(int fd) {
  while (used > 0) {
    size_t first = used < QUEUE_BYTES - begin ? used : QUEUE_BYTES - begin;
    struct iovec parts[2] = {{ring + begin, first}, {ring, used - first}};
    ssize_t count = writev(fd, parts, used > first ? 2 : 1);
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    begin = (begin + (size_t)count) % QUEUE_BYTES;
    used -= (size_t)count;
  }
  return true;
}
