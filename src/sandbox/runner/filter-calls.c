// Signals from inside do not reach the init of a namespace, but a process of the same user may still set its limits (RLIMIT_CPU
// = 0 kills it), its priority, its processors. All those calls name the process by number, so a filter can tell.
#define _GNU_SOURCE
#include "filter-calls.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
// The x32 variants of all calls have numbers from here on.
#define FOREIGN_CALLS 0x40000000
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#define FOREIGN_CALLS 0x7fffffff
#else
#error "the filter knows x86-64 and arm64 only"
#endif

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define IF_EQUAL(value, then, otherwise) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, then, otherwise)
#define IF_AT_LEAST(value, then, otherwise) BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, value, then, otherwise)
#define ANSWER(what) BPF_STMT(BPF_RET | BPF_K, what)

// Jumps count the instructions that are skipped. Numbers of processes are 32 bits, the low half of an argument.
static struct sock_filter program[] = {
    /*  0 */ LOAD(arch),
    /*  1 */ IF_EQUAL(OWN_ARCHITECTURE, 0, 16),
    /*  2 */ LOAD(nr),
    /*  3 */ IF_AT_LEAST(FOREIGN_CALLS, 14, 0),
    /*  4 */ IF_EQUAL(SYS_prlimit64, 6, 0),
    /*  5 */ IF_EQUAL(SYS_sched_setaffinity, 5, 0),
    /*  6 */ IF_EQUAL(SYS_sched_setscheduler, 4, 0),
    /*  7 */ IF_EQUAL(SYS_sched_setparam, 3, 0),
    /*  8 */ IF_EQUAL(SYS_sched_setattr, 2, 0),
    /*  9 */ IF_EQUAL(SYS_setpriority, 3, 0),
    /* 10 */ ANSWER(SECCOMP_RET_ALLOW),
    /* 11 */ LOAD(args[0]),
    /* 12 */ IF_EQUAL(1, 5, 4),
    // setpriority(which, who): all processes of a user at once would include PID 1.
    /* 13 */ LOAD(args[0]),
    /* 14 */ IF_EQUAL(PRIO_USER, 3, 0),
    /* 15 */ LOAD(args[1]),
    /* 16 */ IF_EQUAL(1, 1, 0),
    /* 17 */ ANSWER(SECCOMP_RET_ALLOW),
    /* 18 */ ANSWER(SECCOMP_RET_ERRNO | EPERM),
};

int filter_calls(void) {
  struct sock_fprog filter = {.len = sizeof program / sizeof *program, .filter = program};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0);
}
