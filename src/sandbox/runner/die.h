#ifndef DIE_H
#define DIE_H

// Ends the runner, and with it, as it is the init of its process namespace, everything in the container.
_Noreturn void die(int code, const char *reason);

#endif
