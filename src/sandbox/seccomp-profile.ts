import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

// The system calls that a command may make; everything else answers EPERM. Derived by reading moby's default profile and
// leaving out what text tools, interpreters and compilers do not need and kernel exploits like: io_uring, ptrace and
// process_vm_*, bpf, keyrings, userfaultfd, perf, fanotify, new namespaces and mounts, memory policies, 32-bit variants.
// inotify too: the kernel counts its instances by user, so one session could take those of all others and of the gateway.

const calls = {
  files:
    "access chdir chmod chown close close_range copy_file_range creat dup dup2 dup3 faccessat faccessat2 fadvise64 fallocate " +
    "fchdir fchmod fchmodat fchmodat2 fchown fchownat fcntl fdatasync flock fstat fstatfs fsync ftruncate futimesat getcwd " +
    "getdents getdents64 ioctl lchown link linkat lseek lstat mkdir mkdirat mknod mknodat newfstatat open openat openat2 " +
    "pread64 preadv preadv2 pwrite64 pwritev pwritev2 read readahead readlink readlinkat readv rename renameat renameat2 " +
    "rmdir sendfile splice stat statfs statx symlink symlinkat sync sync_file_range syncfs tee truncate umask unlink unlinkat " +
    "utime utimensat utimes write writev",
  attributes:
    "fgetxattr flistxattr fremovexattr fsetxattr getxattr lgetxattr listxattr llistxattr lremovexattr lsetxattr removexattr setxattr",
  waiting:
    "epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_pwait2 epoll_wait eventfd eventfd2 pause pipe pipe2 poll ppoll " +
    "pselect6 select signalfd signalfd4 timerfd_create timerfd_gettime timerfd_settime",
  memory:
    "brk madvise membarrier memfd_create mincore mlock mlock2 mlockall mmap mprotect mremap msync munlock munlockall munmap " +
    "pkey_alloc pkey_free pkey_mprotect",
  processes:
    "arch_prctl capget capset execve execveat exit exit_group fork getpgid getpgrp getpid getppid getpriority getrlimit " +
    "getrusage getsid gettid kill pidfd_open pidfd_send_signal prctl prlimit64 restart_syscall rseq sched_get_priority_max " +
    "sched_get_priority_min sched_getaffinity sched_getattr sched_getparam sched_getscheduler sched_rr_get_interval " +
    "sched_setaffinity sched_setattr sched_setparam sched_setscheduler sched_yield set_robust_list get_robust_list " +
    "set_tid_address setpgid setpriority setrlimit setsid tgkill times tkill vfork wait4 waitid",
  threads: "futex futex_requeue futex_wait futex_waitv futex_wake",
  signals:
    "rt_sigaction rt_sigpending rt_sigprocmask rt_sigqueueinfo rt_sigreturn rt_sigsuspend rt_sigtimedwait rt_tgsigqueueinfo sigaltstack",
  users:
    "getegid geteuid getgid getgroups getresgid getresuid getuid setfsgid setfsuid setgid setgroups setregid setresgid " +
    "setresuid setreuid setuid",
  time:
    "alarm clock_getres clock_gettime clock_nanosleep getitimer gettimeofday nanosleep setitimer time timer_create " +
    "timer_delete timer_getoverrun timer_gettime timer_settime",
  machine: "getcpu getrandom riscv_flush_icache riscv_hwprobe sysinfo uname",
  sockets:
    "accept accept4 bind connect getpeername getsockname getsockopt listen recvfrom recvmmsg recvmsg sendmmsg sendmsg sendto " +
    "setsockopt shutdown socketpair",
  sharedMemory:
    "mq_getsetattr mq_notify mq_open mq_timedreceive mq_timedsend mq_unlink semctl semget semop semtimedop shmat shmctl shmdt shmget",
  // seccomp and Landlock only ever take rights away.
  confinement: "landlock_add_rule landlock_create_ruleset landlock_restrict_self seccomp",
};

/** Every CLONE_NEW* flag: cgroup, uts, ipc, user, pid, net and mount namespaces. */
const namespaceFlags = 0x7e020000;
const operationNotSupported = 38;
/** AF_UNIX, AF_INET, AF_INET6, AF_NETLINK. Not AF_ALG, AF_PACKET, AF_VSOCK and dozens of unaudited ones. */
const addressFamilies = [1, 2, 10, 16];
/** Linux, with and without randomised addresses, and the query of the current personality. */
const personalities = [0x0, 0x40000, 0xffffffff];

interface Rule {
  readonly names: readonly string[];
  readonly action: "SCMP_ACT_ALLOW" | "SCMP_ACT_ERRNO";
  readonly errnoRet?: number;
  readonly args?: readonly { index: number; value: number; valueTwo?: number; op: string }[];
}

function allowFirstArgument(name: string, value: number): Rule {
  return { names: [name], action: "SCMP_ACT_ALLOW", args: [{ index: 0, value, op: "SCMP_CMP_EQ" }] };
}

/** The profile as the engine takes it in `SecurityOpt` (moby's JSON). Without `archMap` only the machine's own ABI is let in. */
export function buildSeccompProfile(): {
  readonly defaultAction: "SCMP_ACT_ERRNO";
  readonly syscalls: readonly Rule[];
} {
  return {
    defaultAction: "SCMP_ACT_ERRNO",
    syscalls: [
      { names: Object.values(calls).flatMap((group) => group.split(" ")), action: "SCMP_ACT_ALLOW" },
      {
        names: ["clone"],
        action: "SCMP_ACT_ALLOW",
        args: [{ index: 0, value: namespaceFlags, valueTwo: 0, op: "SCMP_CMP_MASKED_EQ" }],
      },
      // Its flags are behind a pointer that no filter can read; "no such call" makes the C library use clone instead.
      { names: ["clone3"], action: "SCMP_ACT_ERRNO", errnoRet: operationNotSupported },
      ...addressFamilies.map((family) => allowFirstArgument("socket", family)),
      ...personalities.map((personality) => allowFirstArgument("personality", personality)),
    ],
  };
}

/** Rewritten each time, so that it holds what this version lets through. Throws the file system's errors. */
export function writeSeccompFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, JSON.stringify(buildSeccompProfile()), { mode: 0o600 });
}
