import type { ProbeArea } from "./types.ts";

/** What is mounted, what can be written, and what leads out of the container's files. */
export const mountProbes: ProbeArea = {
  area: "mounts and files",
  probes: [
    {
      name: "the root cannot be made writable again",
      command: "mount -o remount,rw / 2>/dev/null || echo refused; : 2>/dev/null >/etc/probe || echo refused",
      expected: { stdout: "refused\nrefused\n" },
      looksOnly: true,
      plain: "bites",
    },
    {
      name: "nothing can be bound, laid over or taken away",
      command:
        "mount --bind / /tmp 2>/dev/null && echo bound; mount -t tmpfs none /tmp 2>/dev/null && echo laid; " +
        "mount -t proc none /tmp 2>/dev/null && echo proc; umount /proc/kcore 2>/dev/null && echo taken; umount -l /sys 2>/dev/null && echo taken; echo tried",
      expected: { stdout: "tried\n" },
      looksOnly: true,
      plain: "same",
    },
    {
      name: "exactly four folders can be written",
      command:
        "find / \\( -path /proc -o -path /sys \\) -prune -o -type d -writable -print 2>/dev/null | sort | tr '\\n' ' '",
      expected: { stdout: "/dev/mqueue /dev/shm /tmp /workspace " },
      plain: "bites",
    },
    {
      name: "no file of the system can be written",
      command:
        "find / \\( -path /proc -o -path /sys -o -path /dev \\) -prune -o -type f -writable -print 2>/dev/null | head -3; echo looked",
      expected: { stdout: "looked\n" },
      plain: "bites",
    },
    {
      name: "/tmp and /dev/shm hold no programs, no setuid files and no devices",
      command: `for place in /tmp /dev/shm; do awk -v place=$place '$2 == place { print $4 }' /proc/mounts | tr , '\\n' | grep -cxE 'nosuid|nodev|noexec'; done`,
      expected: { stdout: "3\n3\n" },
      looksOnly: true,
      plain: "bites",
    },
    {
      name: "no program starts in /tmp or /dev/shm",
      command: "for place in /tmp /dev/shm; do cp /bin/true $place/; $place/true 2>/dev/null; echo $?; done",
      expected: { stdout: "126\n126\n" },
      plain: "bites",
    },
    {
      name: "nor does the loader start one there",
      command:
        "cp /bin/true /tmp/; $(ls /lib*/ld-linux* /lib/ld-musl* 2>/dev/null | head -1) /tmp/true 2>/dev/null && echo ran || echo refused",
      expected: { stdout: "refused\n" },
      looksOnly: true,
      plain: "bites",
    },
    {
      name: "/tmp and /dev/shm are as large as was set",
      command: "df -B1 --output=size /tmp /dev/shm | tail -n +2 | tr -d ' '",
      expected: { stdout: `${32 * 1024 * 1024}\n${16 * 1024 * 1024}\n` },
      looksOnly: true,
      plain: "bites",
    },
    {
      name: "no descriptor of the engine is left open (CVE-2024-21626)",
      command:
        "for fd in /proc/self/fd/* /proc/1/fd/*; do readlink $fd; done 2>/dev/null | grep -vE '^(pipe:|socket:|/dev/null$|/proc/[0-9]+/fd|anon_inode:)'; echo looked",
      expected: { stdout: "looked\n" },
      plain: "same",
    },
    {
      name: "the layers' folders on the host are not there",
      command:
        "for folder in $(sed -n 's/.*upperdir=\\([^,]*\\).*/\\1/p' /proc/mounts) /var/lib/docker /var/lib/containerd; do [ -e $folder ] && echo $folder; done; echo looked",
      expected: { stdout: "looked\n" },
      looksOnly: true,
      plain: "same",
    },
    {
      name: "going up ends at the container's root",
      command:
        'ln -s ../../../../../../.. up; [ "$(stat -Lc %d:%i up)" = "$(stat -c %d:%i /)" ] && cd up && [ -x usr ] && pwd -P',
      expected: { stdout: "/\n" },
      looksOnly: true,
      plain: "same",
    },
    {
      name: "no other session's folder is beside the workspace",
      command: "ls -d /workspace/../workspace*; ls -A /workspace | wc -l",
      expected: { stdout: "/workspace/../workspace\n0\n" },
      plain: "same",
    },
    {
      name: "no socket of the engine or of anybody else",
      command:
        "ls /var/run/docker.sock /run/docker.sock /run/containerd /run/podman /run/systemd /run/dbus 2>/dev/null; find / \\( -path /proc -o -path /sys \\) -prune -o -type s -print 2>/dev/null; echo looked",
      expected: { stdout: "looked\n" },
      looksOnly: true,
      plain: "same",
    },
  ],
};
