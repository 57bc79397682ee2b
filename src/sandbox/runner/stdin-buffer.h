// Standard input of the command, on its way from the gateway: a window of it at most.
#ifndef STDIN_BUFFER_H
#define STDIN_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void reset_stdin(void);

// More than the window, or anything after the end, ends the runner.
void keep_stdin(const uint8_t *bytes, size_t count);
void finish_stdin(void);

// Something is kept that the command could be given.
bool stdin_waits(void);

// Something was taken that the gateway could be told.
bool stdin_owes(void);

// Gives the command what it takes, without blocking, and reports it; throws it away once the command has closed its end.
// Closes the descriptor (and sets it to -1) at the end.
void move_stdin(int *fd, uint32_t run);

#endif
