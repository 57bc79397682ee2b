// Frames from the gateway, out of a stream that may be cut anywhere.
#ifndef INPUT_H
#define INPUT_H

#include <stdbool.h>
#include <stdint.h>

struct frame {
  uint8_t type;
  uint32_t run;
  // Valid until the next call of read_input.
  const uint8_t *body;
  uint32_t length;
};

// Reads once, without blocking. False at the end of the stream.
bool read_input(int fd);

// The next whole frame of what was read. A body over the limit ends the runner.
bool next_frame(struct frame *frame);

#endif
