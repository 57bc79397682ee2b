#ifndef SHARED_MEMORY_H
#define SHARED_MEMORY_H

// Removes the System V shared memory, semaphores and queues that outlive the processes that made them.
void remove_shared_memory(void);

#endif
