// What a run frame asks for.
#ifndef REQUEST_H
#define REQUEST_H

#include <stdbool.h>
#include <stdint.h>

enum { STRINGS_MOST = 512 };

// The strings stay in the frame's body.
struct request {
  uint32_t run;
  uint32_t time_limit_ms;
  uint32_t output_limit;
  bool wants_stdin;
  bool fresh;
  const char *folder;
  const char *program;
  char *arguments[STRINGS_MOST + 1];
  char *environment[STRINGS_MOST + 1];
};

struct frame;

// Anything but a well-formed request ends the runner.
void read_request(const struct frame *frame, struct request *request);

#endif
