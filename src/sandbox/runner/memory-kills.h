#ifndef MEMORY_KILLS_H
#define MEMORY_KILLS_H

// How many processes of the container the kernel has killed so far because its memory was full; -1 = not known.
long long count_memory_kills(void);

#endif
