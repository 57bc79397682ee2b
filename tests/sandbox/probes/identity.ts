import type { ProbeArea } from "./types.ts";

const noCapability = { stdout: "0000000000000000\n" };
const readSet = (name: string): string => `sed -n 's/^${name}:[[:space:]]*//p' /proc/self/status`;

/** Who a command is, and what it may become. */
export const identityProbes: ProbeArea = {
  area: "identity and rights",
  probes: [
    {
      name: "runs as an ordinary user who owns the workspace",
      command: '[ "$(id -u)" -gt 0 ] && [ "$(id -u):$(id -g)" = "$(stat -c %u:%g .)" ] && echo ordinary',
      expected: { stdout: "ordinary\n" },
      plain: "bites",
    },
    {
      name: "is in one group, and that is not root's",
      command: '[ "$(id -g)" -gt 0 ] && [ "$(id -G)" = "$(id -g)" ] && echo one',
      expected: { stdout: "one\n" },
      looksOnly: true,
      plain: "bites",
    },
    {
      name: "real, effective, saved and file system ids are one",
      command: `awk '/^[UG]id:/ { print ($2 > 0 && $2 == $3 && $3 == $4 && $4 == $5) }' /proc/self/status`,
      expected: { stdout: "1\n1\n" },
      looksOnly: true,
      plain: "bites",
    },
    {
      name: "su and sudo make nobody root",
      command:
        'for way in "su -c" "sudo -n sh -c"; do $way "id -u" </dev/null 2>/dev/null | grep -x 0; done; echo asked',
      expected: { stdout: "asked\n" },
      looksOnly: true,
      plain: "bites",
    },
    {
      name: "the image has no setuid and no setgid programs",
      command: "find / -xdev -type f -perm /6000 2>/dev/null; echo looked",
      expected: { stdout: "looked\n" },
      looksOnly: true,
      plain: "same",
    },
    {
      name: "a program with a setuid bit changes nothing",
      command: 'cp $(command -v id) mine && chmod 6755 mine && [ "$(./mine -u)" = "$(id -u)" ] && ./mine -u',
      expected: { stdout: /^[1-9]\d*\n$/ },
      looksOnly: true,
      plain: "bites",
    },
    {
      name: "setuid(0) is refused",
      command: `perl -e '$< = 0; $> = 0; print $! + 0, ($< && $>) ? " still nobody" : " root", "\\n"'`,
      expected: { stdout: "1 still nobody\n" },
      looksOnly: true,
      plain: "bites",
    },
    {
      name: "no further group can be taken",
      command: `perl -e '$! = 0; $) = "0 0 4 6"; print $! + 0, "\\n"'`,
      expected: { stdout: "1\n" },
      looksOnly: true,
      plain: "bites",
    },
    {
      name: "no capability is inheritable",
      command: readSet("CapInh"),
      expected: noCapability,
      looksOnly: true,
      plain: "host differs",
    },
    {
      name: "no capability is permitted",
      command: readSet("CapPrm"),
      expected: noCapability,
      looksOnly: true,
      plain: "bites",
    },
    {
      name: "no capability is effective",
      command: readSet("CapEff"),
      expected: noCapability,
      looksOnly: true,
      plain: "bites",
    },
    {
      name: "no capability can ever be had",
      command: readSet("CapBnd"),
      expected: noCapability,
      looksOnly: true,
      plain: "bites",
    },
    {
      name: "no capability is ambient",
      command: readSet("CapAmb"),
      expected: noCapability,
      looksOnly: true,
      plain: "same",
    },
    {
      name: "no program gives new rights",
      command: readSet("NoNewPrivs"),
      expected: { stdout: "1\n" },
      looksOnly: true,
      plain: "bites",
    },
    {
      name: "system calls are filtered",
      command: readSet("Seccomp"),
      expected: { stdout: "2\n" },
      looksOnly: true,
      plain: "same",
    },
    {
      name: "the shadow file cannot be read",
      command: "cat /etc/shadow 2>/dev/null || echo refused",
      expected: { stdout: "refused\n" },
      looksOnly: true,
      plain: "bites",
    },
    {
      name: "no file can be given to root",
      command: "touch mine && chown 0:0 mine 2>/dev/null || echo refused",
      expected: { stdout: "refused\n" },
      looksOnly: true,
      plain: "bites",
    },
    {
      name: "chroot is refused",
      command: "chroot / true 2>/dev/null || echo refused",
      expected: { stdout: "refused\n" },
      looksOnly: true,
      plain: "bites",
    },
    {
      name: "clock and host name cannot be set",
      command: "date -s '2001-01-01' >/dev/null 2>&1 || echo clock; hostname other 2>/dev/null || echo name",
      expected: { stdout: "clock\nname\n" },
      looksOnly: true,
      plain: "same",
    },
    {
      name: "no priority can be had, ordinary or real-time",
      command:
        `perl -e '$! = 0; setpriority(0, 0, -5); print $! + 0, "\\n"' | grep -xE '1|13' >/dev/null && echo ordinary; ` +
        "chrt -f 1 true 2>/dev/null || echo real-time",
      expected: { stdout: "ordinary\nreal-time\n" },
      looksOnly: true,
      plain: "same",
    },
  ],
};
