#ifndef EMPTY_FOLDER_H
#define EMPTY_FOLDER_H

// Removes all that is in the folder, however deep, with two descriptors and no recursion; no link is followed. -1 with errno.
int empty_folder(const char *path);

#endif
