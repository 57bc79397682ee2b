#define _GNU_SOURCE
#include "request.h"

#include <stddef.h>
#include <string.h>

#include "bytes.h"
#include "die.h"
#include "input.h"
#include "protocol.h"

enum { FIXED_BYTES = 13 };

// The string at `*rest`, which moves behind its NUL.
static char *take_string(const uint8_t **rest, const uint8_t *end) {
  const uint8_t *begin = *rest;
  const uint8_t *nul = begin < end ? memchr(begin, 0, (size_t)(end - begin)) : NULL;
  if (nul == NULL) die(VIOLATION, "a run frame has too few strings");
  *rest = nul + 1;
  return (char *)begin;
}

static void take_strings(char **into, uint32_t count, const uint8_t **rest, const uint8_t *end) {
  for (uint32_t index = 0; index < count; index++) into[index] = take_string(rest, end);
  into[count] = NULL;
}

void read_request(const struct frame *frame, struct request *request) {
  if (frame->length < FIXED_BYTES) die(VIOLATION, "a run frame is too short");
  const uint8_t *body = frame->body, *rest = body + FIXED_BYTES, *end = body + frame->length;
  uint8_t flags = body[8];
  uint32_t arguments = get_number(body + 9, 2), variables = get_number(body + 11, 2);
  request->run = frame->run;
  request->time_limit_ms = get_number(body, 4);
  request->output_limit = get_number(body + 4, 4);
  request->wants_stdin = flags & RUN_STDIN;
  request->fresh = flags & RUN_FRESH;
  if (request->time_limit_ms == 0 || (flags & ~(RUN_STDIN | RUN_FRESH)) != 0) die(VIOLATION, "a run frame has bad numbers");
  if (arguments == 0 || arguments > STRINGS_MOST || variables > STRINGS_MOST) die(VIOLATION, "a run frame has bad counts");
  request->folder = take_string(&rest, end);
  request->program = take_string(&rest, end);
  take_strings(request->arguments, arguments, &rest, end);
  take_strings(request->environment, variables, &rest, end);
  // A NUL inside a string would shift all that follows, so nothing may be left over.
  if (rest != end) die(VIOLATION, "a run frame has too many strings");
}
