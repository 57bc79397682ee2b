#define _GNU_SOURCE
#include "setup.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "die.h"
#include "filter-calls.h"
#include "protocol.h"

static int watch_children(void) {
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  // The init of a namespace does not get it from inside; ignored all the same, for a kernel that would.
  signal(SIGPIPE, SIG_IGN);
  sigset_t ended;
  sigemptyset(&ended);
  sigaddset(&ended, SIGCHLD);
  if (sigprocmask(SIG_SETMASK, &ended, NULL) != 0) return -1;
  return signalfd(-1, &ended, SFD_CLOEXEC | SFD_NONBLOCK);
}

int set_up(void) {
  // First of all, as what follows kills everything in the namespace that it is the init of.
  if (getpid() != 1) die(SETUP_FAILED, "it must be the first process of a container (PID 1)");
  for (int fd = 0; fd < 3; fd++)
    if (fcntl(fd, F_GETFD) < 0) die(SETUP_FAILED, "standard input, output or error is closed");
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) die(SETUP_FAILED, "it cannot hide its memory");
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) die(SETUP_FAILED, "it cannot give up gaining rights");
  if (filter_calls() != 0) die(SETUP_FAILED, "it cannot load its filter of system calls");
  int ended = watch_children();
  if (ended < 0) die(SETUP_FAILED, "it cannot wait for processes");
  if (fcntl(0, F_SETFL, O_NONBLOCK) != 0 || fcntl(1, F_SETFL, O_NONBLOCK) != 0)
    die(SETUP_FAILED, "its streams cannot be made non-blocking");
  return ended;
}
