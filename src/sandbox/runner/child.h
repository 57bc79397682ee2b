// The process that becomes a command.
#ifndef CHILD_H
#define CHILD_H

#include <stdint.h>
#include <sys/types.h>

struct request;

// The runner's ends, all non-blocking and closed on exec; -1 = none.
struct child {
  pid_t pid;
  int in, out, err;
  // Ends without a byte when the program has taken over; else it carries one struct failure.
  int report;
};

struct failure {
  uint8_t refusal;
  int error;
};

// -1 with errno when the system has no process or pipe for it.
int start_child(const struct request *request, struct child *child);

#endif
