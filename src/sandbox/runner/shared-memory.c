// They are found by their place in the kernel's tables; the *_STAT_ANY calls see those too that nobody may read.
#define _GNU_SOURCE
#include "shared-memory.h"

#include <stddef.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>

#ifndef SHM_STAT_ANY
#define SHM_STAT_ANY 15
#endif
#ifndef MSG_STAT_ANY
#define MSG_STAT_ANY 13
#endif
#ifndef SEM_STAT_ANY
#define SEM_STAT_ANY 20
#endif

union semaphore_argument {
  struct semid_ds *state;
  struct seminfo *info;
};

void remove_shared_memory(void) {
  struct shm_info memory;
  struct shmid_ds memory_state;
  int last = shmctl(0, SHM_INFO, (struct shmid_ds *)(void *)&memory);
  for (int index = 0; index <= last; index++) {
    int id = shmctl(index, SHM_STAT_ANY, &memory_state);
    if (id >= 0) shmctl(id, IPC_RMID, NULL);
  }
  struct msginfo queues;
  struct msqid_ds queue_state;
  last = msgctl(0, MSG_INFO, (struct msqid_ds *)(void *)&queues);
  for (int index = 0; index <= last; index++) {
    int id = msgctl(index, MSG_STAT_ANY, &queue_state);
    if (id >= 0) msgctl(id, IPC_RMID, NULL);
  }
  struct seminfo semaphores;
  struct semid_ds semaphore_state;
  last = semctl(0, 0, SEM_INFO, (union semaphore_argument){.info = &semaphores});
  for (int index = 0; index <= last; index++) {
    int id = semctl(index, 0, SEM_STAT_ANY, (union semaphore_argument){.state = &semaphore_state});
    if (id >= 0) semctl(id, 0, IPC_RMID);
  }
}
