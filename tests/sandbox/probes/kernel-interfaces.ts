import type { ProbeArea } from "./types.ts";

/** Opens for writing without writing anything, so that a hole harms nobody. */
const openForWriting = (...files: readonly string[]): string =>
  `for file in ${files.join(" ")}; do [ -e $file ] && (exec 3>>$file) 2>/dev/null && echo $file; done; echo tried`;

/** /proc, /sys, /dev and what the kernel shows in them. */
export const kernelInterfaceProbes: ProbeArea = {
  area: "kernel interfaces",
  probes: [
    {
      name: "the machine cannot be crashed or restarted by sysrq",
      command: openForWriting("/proc/sysrq-trigger", "/proc/sys/kernel/sysrq"),
      expected: { stdout: "tried\n" },
      looksOnly: true,
      plain: "same",
    },
    {
      name: "the kernel starts no program of ours",
      command: openForWriting(
        "/proc/sys/kernel/core_pattern",
        "/proc/sys/kernel/modprobe",
        "/proc/sys/kernel/hotplug",
        "/sys/kernel/uevent_helper",
        "/proc/sys/fs/binfmt_misc/register",
      ),
      expected: { stdout: "tried\n" },
      looksOnly: true,
      plain: "same",
    },
    {
      name: "nothing can be set in /proc/sys",
      command: "find /proc/sys -type f -writable 2>/dev/null | head -3; echo looked",
      expected: { stdout: "looked\n" },
      looksOnly: true,
      plain: "same",
    },
    {
      name: "nothing can be set in /sys",
      command: "find /sys -type f -writable 2>/dev/null | head -3; echo looked",
      expected: { stdout: "looked\n" },
      looksOnly: true,
      plain: "same",
    },
    {
      name: "nothing can be set in the rest of /proc",
      // Without /proc/pressure, where any process may write by when it wants to be woken: that sets nothing of the machine.
      command:
        "for file in $(find /proc -regextype posix-extended -regex '/proc/([0-9]+|self|thread-self|sys|pressure)' -prune -o -type f -writable -print 2>/dev/null); do [ -f $file ] && echo $file; done; echo looked",
      expected: { stdout: "looked\n" },
      looksOnly: true,
      plain: "host differs",
    },
    {
      name: "control groups cannot be written, entered or made",
      command:
        "find /sys/fs/cgroup -writable 2>/dev/null | head -3; mkdir /sys/fs/cgroup/mine /sys/fs/cgroup/memory/mine 2>/dev/null; " +
        openForWriting(
          "/sys/fs/cgroup/*/release_agent",
          "/sys/fs/cgroup/cgroup.procs",
          "/sys/fs/cgroup/memory/memory.limit_in_bytes",
          "/sys/fs/cgroup/memory.max",
        ),
      expected: { stdout: "tried\n" },
      looksOnly: true,
      plain: "host differs",
    },
    {
      name: "the kernel's addresses are hidden",
      command: `awk '$1 !~ /^0+$/ { n++ } END { print n + 0 }' /proc/kallsyms`,
      expected: { stdout: "0\n" },
      looksOnly: true,
      plain: "host differs",
    },
    {
      name: "the kernel's memory cannot be read",
      command: "cat /proc/kcore /dev/mem /dev/kmem /dev/port /proc/vmallocinfo 2>/dev/null | head -c 100 | wc -c",
      expected: { stdout: "0\n" },
      looksOnly: true,
      plain: "host differs",
    },
    {
      name: "what the engine masks shows nothing",
      command:
        "cat /proc/keys /proc/timer_list /proc/sched_debug /proc/latency_stats /proc/timer_stats 2>/dev/null | wc -c; " +
        "find /proc/acpi /proc/scsi /sys/firmware -mindepth 1 2>/dev/null | wc -l",
      expected: { stdout: "0\n0\n" },
      looksOnly: true,
      plain: "same",
    },
    {
      name: "the kernel's debugging file systems are closed",
      command:
        "find /sys/kernel/debug /sys/kernel/tracing /sys/kernel/security /sys/fs/bpf -mindepth 1 2>/dev/null | wc -l",
      expected: { stdout: "0\n" },
      looksOnly: true,
      plain: "same",
    },
    {
      name: "only harmless devices are there",
      command:
        "find /dev \\( -type b -o -type c \\) ! -path '/dev/pts/*' -printf '%f\\n' | grep -vxE 'null|zero|full|random|urandom|tty|ptmx|console' || echo none",
      expected: { stdout: "none\n" },
      looksOnly: true,
      plain: "same",
    },
    {
      name: "no device file can be made",
      // The numbers of /dev/null, so that a hole harms nobody.
      command:
        "for place in . /tmp /dev/shm; do mknod $place/device c 1 3 2>/dev/null && echo $place; done; echo tried",
      expected: { stdout: "tried\n" },
      looksOnly: true,
      plain: "bites",
    },
    {
      name: "/proc/1/root leads to no other root",
      command: '[ ! -r /proc/1/root/ ] || [ "$(stat -Lc %d:%i /proc/1/root)" = "$(stat -c %d:%i /)" ] && echo held',
      expected: { stdout: "held\n" },
      looksOnly: true,
      plain: "same",
    },
    {
      name: "the out-of-memory killer cannot be sent to others",
      command: "(echo -900 > /proc/self/oom_score_adj) 2>/dev/null || echo refused",
      expected: { stdout: "refused\n" },
      looksOnly: true,
      plain: "same",
    },
    {
      name: "the limits of the processor and the memory are those that were set",
      command:
        "cd /sys/fs/cgroup; if [ -e cgroup.controllers ]; then cat cpu.max memory.max memory.swap.max pids.max; else " +
        "echo $(cat cpu/cpu.cfs_quota_us cpu/cpu.cfs_period_us); cat memory/memory.limit_in_bytes; " +
        "echo $(($(cat memory/memory.memsw.limit_in_bytes) - $(cat memory/memory.limit_in_bytes))); cat pids/pids.max; fi",
      expected: { stdout: "50000 100000\n134217728\n0\n64\n" },
      looksOnly: true,
      plain: "bites",
    },
  ],
};
