import { runMachineCode } from "./machine-code.ts";
import type { Probe, ProbeArea } from "./types.ts";

/** Call numbers: x86-64, arm64; null = that processor has no such call. */
const numbers = {
  acct: [163, 89],
  add_key: [248, 217],
  adjtimex: [159, 171],
  bpf: [321, 280],
  clone: [56, 220],
  clone3: [435, 435],
  delete_module: [176, 106],
  fanotify_init: [300, 262],
  finit_module: [313, 273],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fsopen: [430, 430],
  init_module: [175, 105],
  inotify_add_watch: [254, 27],
  inotify_init: [253, null],
  inotify_init1: [294, 26],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  io_uring_setup: [425, 425],
  ioperm: [173, null],
  iopl: [172, null],
  kcmp: [312, 272],
  kexec_file_load: [320, 294],
  kexec_load: [246, 104],
  keyctl: [250, 219],
  lookup_dcookie: [212, 18],
  mbind: [237, 235],
  migrate_pages: [256, 238],
  mount: [165, 40],
  mount_setattr: [442, 442],
  move_mount: [429, 429],
  move_pages: [279, 239],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  open_tree: [428, 428],
  perf_event_open: [298, 241],
  personality: [135, 92],
  pidfd_getfd: [438, 438],
  pivot_root: [155, 41],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  ptrace: [101, 117],
  quotactl: [179, 60],
  reboot: [169, 142],
  request_key: [249, 218],
  set_mempolicy: [238, 237],
  setdomainname: [171, 162],
  sethostname: [170, 161],
  setns: [308, 268],
  settimeofday: [164, 170],
  swapoff: [168, 225],
  swapon: [167, 224],
  syslog: [103, 116],
  umount2: [166, 39],
  unshare: [272, 97],
  userfaultfd: [323, 282],
  vhangup: [153, 58],
} as const satisfies Readonly<Record<string, readonly [number, number | null]>>;

type CallName = keyof typeof numbers;

/** Makes each call by number with harmless arguments and prints "name errno", or "name through". */
function makeCalls(calls: readonly CallName[], callArguments = "1, 0, 0, 0, 0, 0"): string {
  const present = calls.flatMap((name) => {
    const number = numbers[name][process.arch === "arm64" ? 1 : 0];
    return number === null ? [] : [`${name} ${number}`];
  });
  return (
    `perl -e 'for (@ARGV) { my ($name, $number) = split; $! = 0; my $answer = syscall($number, ${callArguments}); ` +
    `print "$name ", $answer < 0 ? $! + 0 : "through", "\\n" }' ${present.map((one) => `"${one}"`).join(" ")}`
  );
}

/** All of them answer EPERM: they stopped at the filter, not at what the arguments lack. */
function refuses(name: string, calls: readonly CallName[], plain: Probe["plain"]): Probe {
  return {
    name,
    command: `${makeCalls(calls)} | grep -v ' 1$'; echo asked`,
    expected: { stdout: "asked\n" },
    looksOnly: true,
    plain,
  };
}

const openSocket = (family: number, type: number): string =>
  `perl -e '$! = 0; print socket(my $s, ${family}, ${type}, 0) ? "through" : $! + 0, "\\n"'`;

/** What the kernel is asked for directly; most container escapes began with one of these. */
export const systemCallProbes: ProbeArea = {
  area: "system calls",
  probes: [
    refuses("no io_uring", ["io_uring_setup", "io_uring_enter", "io_uring_register"], "host differs"),
    refuses("no debugging of other processes", ["ptrace", "process_vm_readv", "process_vm_writev", "kcmp"], "bites"),
    refuses("no file descriptor is taken from another process", ["pidfd_getfd"], "host differs"),
    refuses("no new namespaces by unshare and setns", ["unshare", "setns"], "same"),
    {
      name: "no new user namespace by clone",
      command: makeCalls(["clone"], "0x10000000 | 17, 0, 0, 0, 0"),
      expected: { stdout: "clone 1\n" },
      looksOnly: true,
      plain: "same",
    },
    {
      name: "clone3 does not exist, so that nothing hides its flags from the filter",
      command: makeCalls(["clone3"], "0, 0"),
      expected: { stdout: "clone3 38\n" },
      looksOnly: true,
      plain: "host differs",
    },
    refuses("no mounts", ["mount", "umount2", "pivot_root"], "same"),
    refuses(
      "no mounts by the new calls either",
      ["fsopen", "fsconfig", "fsmount", "open_tree", "move_mount", "mount_setattr"],
      "host differs",
    ),
    refuses("no programs in the kernel", ["bpf"], "same"),
    refuses(
      "no modules and no other kernel",
      ["init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load"],
      "same",
    ),
    refuses("no keyrings", ["keyctl", "add_key", "request_key"], "same"),
    refuses("no handling of page faults in user space", ["userfaultfd"], "same"),
    refuses("no performance counters", ["perf_event_open"], "same"),
    refuses("no files by handle (the Shocker escape)", ["open_by_handle_at"], "same"),
    refuses("no handles of files", ["name_to_handle_at"], "host differs"),
    // The kernel counts them by user: without this row, one container can take all of them from the others.
    refuses("no watching of files", ["inotify_init", "inotify_init1", "inotify_add_watch"], "bites"),
    refuses("no watching of whole file systems", ["fanotify_init"], "host differs"),
    refuses("no placing of memory", ["mbind", "set_mempolicy", "move_pages", "migrate_pages"], "host differs"),
    refuses(
      "no administration of the machine",
      ["acct", "quotactl", "reboot", "sethostname", "setdomainname", "settimeofday", "swapon", "swapoff", "vhangup"],
      "same",
    ),
    refuses("no ports of the processor, no old cookies", ["iopl", "ioperm", "lookup_dcookie"], "host differs"),
    refuses("the clock's speed cannot even be asked for", ["adjtimex"], "bites"),
    {
      name: "the kernel's log cannot be read",
      command: `${makeCalls(["syslog"], "10, 0, 0")}; dmesg 2>/dev/null | wc -l; [ -e /dev/kmsg ] || echo none`,
      expected: { stdout: "syslog 1\n0\nnone\n" },
      looksOnly: true,
      plain: "same",
    },
    {
      name: "no personality that weakens memory",
      command: makeCalls(["personality"], "0x0400000"),
      expected: { stdout: "personality 1\n" },
      looksOnly: true,
      plain: "same",
    },
    {
      name: "no sockets to the kernel's ciphers",
      command: openSocket(38, 5),
      expected: { stdout: "1\n" },
      looksOnly: true,
      plain: "host differs",
    },
    {
      name: "no sockets to a hypervisor, to Bluetooth, to buses and to rare networks",
      command: [40, 31, 29, 30, 21, 44].map((family) => openSocket(family, 1)).join("; "),
      expected: { stdout: "1\n".repeat(6) },
      looksOnly: true,
      plain: "bites",
    },
    {
      name: "no way round the filter by the 32-bit gate",
      // exit(42) by int 0x80; if that is refused, exit(7) by the ordinary call. 159 = killed by the filter.
      command: runMachineCode("b801000000bb2a000000cd80bf07000000b83c0000000f05"),
      expected: { exitCode: [7, 139, 159] },
      looksOnly: true,
      plain: "host differs",
      processor: "x64",
    },
    {
      name: "no way round the filter by the x32 numbers",
      // getpid as 0x40000027; then exit(answer < 0 ? 7 : 42).
      command: runMachineCode("b8270000400f0585c0bf2a0000007905bf07000000b83c0000000f05"),
      expected: { exitCode: [7, 159] },
      looksOnly: true,
      plain: "same",
      processor: "x64",
    },
  ],
};
