#ifndef SETUP_H
#define SETUP_H

// Makes the runner safe from what it will run, or ends it. Answers a descriptor that is readable when a process has ended.
int set_up(void);

#endif
