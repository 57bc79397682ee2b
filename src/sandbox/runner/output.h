// Frames to the gateway, in a bounded queue, so that a gateway that does not read never blocks the runner.
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// How many bytes of command output fit into one more frame. What is left beside them is kept for all other frames.
size_t output_room(void);

// Appends a frame. One that does not fit ends the runner: the gateway has asked more than the protocol lets it leave unread.
void queue_frame(uint8_t type, uint32_t run, const void *body, size_t length);

bool output_waits(void);

// Writes what the reader takes, without blocking. False when there is no reader any more.
bool flush_output(int fd);

#endif
