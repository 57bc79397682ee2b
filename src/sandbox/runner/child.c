#define _GNU_SOURCE
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "empty-folder.h"
#include "protocol.h"
#include "request.h"

static const char *const fresh_folders[] = {"/tmp", "/dev/shm", "/dev/mqueue"};

_Noreturn static void fail(int report, enum refusal refusal) {
  struct failure failure = {.refusal = (uint8_t)refusal, .error = errno};
  ssize_t written = write(report, &failure, sizeof failure);
  _exit(written == sizeof failure ? 126 : 127);
}

static void close_all_but(int kept) {
  bool below = kept == 3 || syscall(SYS_close_range, 3, kept - 1, 0) == 0;
  if (below && syscall(SYS_close_range, kept + 1, ~0U, 0) == 0) return;
  // Kernels before 5.9.
  struct rlimit open_files;
  if (getrlimit(RLIMIT_NOFILE, &open_files) != 0) open_files.rlim_cur = 1024;
  for (int fd = 3; fd < (int)open_files.rlim_cur; fd++)
    if (fd != kept) close(fd);
}

_Noreturn static void become(const struct request *request, const int in[2], const int out[2], const int err[2], int report) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  // The only signal that is not as the kernel has it (setup.c).
  signal(SIGPIPE, SIG_DFL);
  setsid();
  umask(022);
  int from = request->wants_stdin ? in[0] : open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (from < 0 || dup2(from, 0) < 0 || dup2(out[1], 1) < 0 || dup2(err[1], 2) < 0) fail(report, REFUSED_RESOURCES);
  close_all_but(report);
  if (request->fresh)
    for (size_t index = 0; index < sizeof fresh_folders / sizeof *fresh_folders; index++)
      if (empty_folder(fresh_folders[index]) != 0 && errno != ENOENT) fail(report, REFUSED_FRESH);
  // With the command's own rights: wherever the folder leads, the command could have gone there itself.
  if (chdir("/workspace") != 0 || chdir(request->folder) != 0) fail(report, REFUSED_FOLDER);
  execve(request->program, request->arguments, request->environment);
  fail(report, REFUSED_PROGRAM);
}

static void close_pair(const int pair[2]) {
  for (int side = 0; side < 2; side++)
    if (pair[side] >= 0) close(pair[side]);
}

int start_child(const struct request *request, struct child *child) {
  int in[2] = {-1, -1}, out[2] = {-1, -1}, err[2] = {-1, -1}, report[2] = {-1, -1};
  *child = (struct child){.pid = -1, .in = -1, .out = -1, .err = -1, .report = -1};
  bool piped = pipe2(out, O_CLOEXEC) == 0 && pipe2(err, O_CLOEXEC) == 0 && pipe2(report, O_CLOEXEC) == 0 &&
               (!request->wants_stdin || pipe2(in, O_CLOEXEC) == 0);
  if (piped) child->pid = fork();
  if (child->pid < 0) {
    int error = errno;
    close_pair(in), close_pair(out), close_pair(err), close_pair(report);
    errno = error;
    return -1;
  }
  if (child->pid == 0) become(request, in, out, err, report[1]);
  close(out[1]), close(err[1]), close(report[1]);
  if (request->wants_stdin) close(in[0]);
  child->in = in[1], child->out = out[0], child->err = err[0], child->report = report[0];
  const int ours[] = {child->in, child->out, child->err, child->report};
  for (size_t index = 0; index < sizeof ours / sizeof *ours; index++)
    if (ours[index] >= 0) fcntl(ours[index], F_SETFL, O_NONBLOCK);
  return 0;
}
