// Folders are not walked down into: what a folder holds is moved up into the top one, until nothing there holds anything.
// So a tree that is deeper than any path or descriptor limit goes away as a flat one does.
#define _GNU_SOURCE
#include "empty-folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

struct entry {
  uint64_t inode;
  int64_t offset;
  uint16_t size;
  uint8_t type;
  char name[];
};

struct listing {
  int fd;
  long filled, at;
  _Alignas(struct entry) char bytes[16 * 1024];
};

// The next name that is not "." or ".."; NULL at the end, or with errno.
static const char *next_name(struct listing *list) {
  for (;;) {
    if (list->at >= list->filled) {
      list->at = 0;
      errno = 0;
      list->filled = syscall(SYS_getdents64, list->fd, list->bytes, sizeof list->bytes);
      if (list->filled <= 0) return NULL;
    }
    const struct entry *entry = (const struct entry *)(const void *)(list->bytes + list->at);
    list->at += entry->size;
    if (strcmp(entry->name, ".") != 0 && strcmp(entry->name, "..") != 0) return entry->name;
  }
}

static int open_folder_at(int parent, const char *name, struct listing *list) {
  list->filled = list->at = 0;
  list->fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  return list->fd;
}

// Under a name that nothing there has, whatever the command has put there.
static int rename_freely(int from, const char *name, int to) {
  static unsigned long moved;
  for (;;) {
    char free_name[32];
    snprintf(free_name, sizeof free_name, ".kurisu-%lu", moved++);
    if (renameat(from, name, to, free_name) == 0) return 0;
    if (errno != ENOTEMPTY && errno != EEXIST && errno != ENOTDIR) return -1;
  }
}

static int move_up(int top, const char *name) {
  static struct listing inner;
  // Reading a folder and moving it need its own rights.
  if (fchmodat(top, name, 0700, 0) != 0 || open_folder_at(top, name, &inner) < 0) return -1;
  int result = 0;
  for (const char *inside; result == 0 && (inside = next_name(&inner)) != NULL;) {
    if (unlinkat(inner.fd, inside, 0) == 0 || unlinkat(inner.fd, inside, AT_REMOVEDIR) == 0) continue;
    result = fchmodat(inner.fd, inside, 0700, 0) == 0 ? rename_freely(inner.fd, inside, top) : -1;
  }
  int error = errno;
  close(inner.fd);
  errno = error;
  if (result != 0 || error != 0) return -1;
  return unlinkat(top, name, AT_REMOVEDIR) == 0 || errno == ENOTEMPTY ? 0 : -1;
}

int empty_folder(const char *path) {
  static struct listing outer;
  if (open_folder_at(AT_FDCWD, path, &outer) < 0) return -1;
  int result = 0;
  for (bool found = true; result == 0 && found;) {
    found = false;
    lseek(outer.fd, 0, SEEK_SET);
    outer.filled = outer.at = 0;
    const char *name;
    while (result == 0 && (name = next_name(&outer)) != NULL) {
      found = true;
      if (unlinkat(outer.fd, name, 0) != 0 && unlinkat(outer.fd, name, AT_REMOVEDIR) != 0) result = move_up(outer.fd, name);
    }
    if (result == 0 && name == NULL && errno != 0) result = -1;
  }
  int error = errno;
  close(outer.fd);
  errno = error;
  return result;
}
