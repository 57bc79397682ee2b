// The one command at work: from the frame that asks for it to the frame that reports its end.
#ifndef RUN_H
#define RUN_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

struct frame;

enum { RUN_POLLS = 4 };

void begin_run(const struct frame *frame);
void take_stdin(const struct frame *frame);
void end_stdin(const struct frame *frame);
void kill_run(const struct frame *frame);

// What to wait for, into RUN_POLLS entries, and for how many milliseconds at most; -1 = however long.
int prepare_run(struct pollfd *polls);

// Does all that can be done without waiting.
void advance_run(void);

#endif
