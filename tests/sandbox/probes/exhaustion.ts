import { runMachineCode } from "./machine-code.ts";
import type { ProbeArea } from "./types.ts";

const mebibyte = 1024 * 1024;

/** Attempts to take the machine's processes, memory, disk, descriptors and time. */
export const exhaustionProbes: ProbeArea = {
  area: "exhaustion",
  probes: [
    {
      name: "a fork bomb stays inside",
      // The shell may not fork any more, so it waits by a read of its own.
      command: "mkfifo pipe; exec 3<>pipe; bomb() { bomb | bomb & }; bomb 2>/dev/null; read -t 1 -u 3; echo over",
      expected: { stdout: "over\n" },
      plain: "same",
    },
    {
      name: "no more processes than the limit",
      command: `perl -e 'my @pids; while (@pids < 200) { my $pid = fork; last unless defined $pid; if (!$pid) { sleep 60; exit } push @pids, $pid } print @pids < 64 ? "stopped" : scalar @pids, "\\n"; kill 9, @pids'`,
      expected: { stdout: "stopped\n" },
      plain: "bites",
    },
    {
      name: "no more threads than the limit",
      // 200 times clone(VM|FS|FILES|SIGHAND|THREAD), each thread pauses; the exit code is how many came to be.
      command: `${runMachineCode(
        "31dbb838000000bf000f010031f631d24d31d24d31c00f0585c0741578" +
          "0affc381fbc80000007cda89dfb8e70000000f05b8220000000f05ebf7",
      )}; [ $? -lt 64 ] && echo stopped`,
      expected: { stdout: "stopped\n" },
      plain: "bites",
      processor: "x64",
    },
    {
      name: "a memory hog is killed and named",
      command: `perl -e '$x = "a" x (160 * 1024 * 1024); print "held"'`,
      expected: { exitCode: 137, stdout: "", outOfMemory: true },
      plain: "bites",
    },
    {
      name: "many small hogs are no way round",
      // Each tells through its pipe that it got its share, and keeps it; a killed one may take a moment to be gone.
      command: `perl -e 'my (@pids, @told); for (1 .. 10) { pipe(my $told, my $tell); my $pid = fork; if (!$pid) { close $told; my $x = "a" x 30; $x = $x x (1 << 20); syswrite $tell, "x"; sleep 60; exit } close $tell; push @pids, $pid; push @told, $told } sysread($_, my $said, 1) for @told; for (1 .. 50) { @pids = grep { waitpid($_, 1) == 0 } @pids; last if @pids < 5; select undef, undef, undef, 0.1 } print "x" x @pids; kill 9, @pids'`,
      expected: { stdout: /^x{0,4}$/ },
      plain: "bites",
    },
    {
      name: "shared memory counts as memory",
      command: `perl -e 'my $id = shmget(0, 300 << 20, 0600); for my $i (0 .. 299) { shmwrite($id, "x" x (1 << 20), $i << 20, 1 << 20) } print "held"'`,
      expected: { exitCode: 137, stdout: "" },
      plain: "bites",
      next: { command: "tail -n +2 /proc/sysvipc/shm | wc -l", expected: { stdout: "0\n" } },
    },
    {
      name: "/tmp and /dev/shm fill up and nobody dies of it",
      command:
        "for place in /tmp /dev/shm; do for i in 1 2 3 4 5 6 7 8; do head -c 6M /dev/zero > $place/$i 2>/dev/null || { echo full; break; }; done; done; " +
        "du -sm /tmp /dev/shm | awk '{ print ($1 <= 32) }'",
      expected: { stdout: "full\nfull\n1\n1\n", outOfMemory: false },
      plain: "bites",
    },
    {
      name: "a flood of empty files in /tmp ends at the memory limit",
      command: `perl -e 'for (1 .. 400000) { open(my $f, ">", "/tmp/$_") or do { print "full\\n"; exit 3 } } print "held\\n"'`,
      expected: { exitCode: [3, 137], stdout: /^(full\n)?$/ },
      plain: "not asked",
      timeoutMs: 40_000,
    },
    {
      name: "message queues, which the kernel counts by user, are not taken from other sessions",
      command: "for i in 1 2 3; do touch /dev/mqueue/$i 2>/dev/null; done; ls /dev/mqueue | wc -l",
      expected: { stdout: "0\n" },
      plain: "bites",
    },
    {
      name: "no file is larger than the limit",
      command: "head -c 20M /dev/zero > big; echo $?; stat -c %s big",
      expected: { stdout: `153\n${8 * mebibyte}\n` },
      plain: "bites",
    },
    {
      name: "nor by a hole in it",
      command: 'truncate -s 1G sparse; [ "$(stat -c %s sparse)" -le 8388608 ] && echo held',
      expected: { stdout: "held\n" },
      plain: "bites",
    },
    {
      name: "nor by reserving",
      command:
        'fallocate -l 1G reserved 2>/dev/null; [ "$(stat -c %s reserved)" -le 8388608 ] && echo held; rm -f reserved',
      expected: { stdout: "held\n" },
      plain: "bites",
    },
    {
      name: "no more open files than the limit",
      command: `perl -e 'my @f; while (@f < 5000) { open(my $f, "<", "/dev/null") or last; push @f, $f } print @f < 1024 ? "stopped" : scalar @f, "\\n"'`,
      expected: { stdout: "stopped\n" },
      plain: "host differs",
    },
    {
      name: "limits cannot be raised",
      command:
        "for limit in -f -n -c; do (ulimit -H $limit unlimited) 2>/dev/null && echo raised $limit; done; ulimit -Hf; ulimit -Hc; ulimit -Hn",
      expected: { stdout: "8192\n0\n1024\n" },
      plain: "bites",
    },
    {
      name: "a crash leaves no image of the memory",
      command: "bash -c 'kill -SEGV $$'; echo $?; ls -A",
      expected: { stdout: "139\n" },
      plain: "same",
    },
    {
      name: "a burn of the processor is slowed down",
      // A busy machine may give less than the limit, and then nothing is held back: the share that was used counts as well.
      command: `perl -MTime::HiRes=time -e 'my ($first, $since) = ($$, time); fork; fork; 1 while (times)[0] + (times)[1] < 0.3; 1 while wait > 0; exit if $$ != $first; my $used = 0; $used += $_ for times; my $place = "/sys/fs/cgroup"; my $limited = \`cat $place/cpu.max $place/cpu/cpu.cfs_quota_us 2>/dev/null\` =~ /^50000\\b/m; my $held = \`cat $place/cpu.stat $place/cpu/cpu.stat 2>/dev/null\` =~ /^nr_throttled [1-9]/m; print $limited && ($held || $used < 0.6 * (time - $since)) ? 1 : 0, "\\n"'`,
      expected: { stdout: "1\n" },
      plain: "bites",
    },
  ],
};
