import type { ProbeArea } from "./types.ts";

/** What a command can do with its two streams. */
export const outputProbes: ProbeArea = {
  area: "output",
  probes: [
    {
      name: "a flood is cut at the cap",
      command: "head -c 3M /dev/zero | tr '\\0' 'y'; sleep 60",
      expected: { truncated: true, exitCode: 137, stdout: /^y{262144}$/ },
      plain: "bites",
      timeoutMs: 5000,
    },
    {
      name: "a flood of errors as well",
      command: "head -c 3M /dev/zero | tr '\\0' 'e' >&2; sleep 60",
      expected: { truncated: true, exitCode: 137, stderr: /^e{262144}$/, stdout: "" },
      plain: "bites",
      timeoutMs: 5000,
    },
    {
      name: "a flood without end and without a line break on both streams",
      command: "yes | tr -d '\\n' | tee /dev/stderr",
      expected: { truncated: true, exitCode: 137, stdout: /^y{0,262144}$/ },
      plain: "not asked",
    },
    {
      name: "a slow drip arrives whole",
      command: "for i in 1 2 3 4 5; do printf $i; sleep 0.1; done",
      expected: { exitCode: 0, stdout: "12345" },
      plain: "same",
    },
    {
      name: "an endless drip ends at the time limit",
      command: "while :; do echo drip; sleep 0.1; done",
      expected: { timedOut: true, exitCode: 137, stdout: /^(drip\n)+$/ },
      plain: "same",
      timeoutMs: 2000,
    },
    {
      name: "NUL and bytes that are no UTF-8 are data",
      command: "printf 'a\\0b\\377\\376\\303c'",
      expected: { exitCode: 0, stdout: "a\0b\uFFFD\uFFFD\uFFFDc" },
      plain: "same",
    },
    {
      name: "control sequences and marks that turn text round are data",
      command: "printf '\\033[31mred\\033]0;title\\a\\r\\b\\342\\200\\256gnp.exe'",
      expected: { exitCode: 0, stdout: "\u001B[31mred\u001B]0;title\u0007\r\b\u202Egnp.exe" },
      plain: "same",
    },
    {
      name: "a forged frame of the engine's stream is data",
      command: "printf '\\002\\0\\0\\0\\0\\0\\0\\005hello'",
      expected: { stdout: "\u0002\0\0\0\0\0\0\u0005hello", stderr: "" },
      plain: "same",
    },
    {
      name: "what is written into PID 1's own streams is data at most",
      command:
        "for fd in /proc/1/fd/*; do printf '\\002\\0\\0\\0\\0\\0\\0\\004forg' > $fd; done 2>/dev/null; echo after; exit 6",
      expected: { exitCode: 6, stdout: /^(\W*forg)*after\n$/ },
      plain: "same",
    },
    {
      name: "closed streams do not hide the exit code",
      command: "exec >&- 2>&-; sleep 0.3; exit 5",
      expected: { exitCode: 5, stdout: "", stderr: "" },
      plain: "same",
    },
    {
      name: "there is nothing to read and no terminal to type into",
      command: "cat; tty; (exec 3<>/dev/tty) 2>/dev/null || echo none",
      expected: { stdout: "not a tty\nnone\n" },
      plain: "same",
    },
  ],
};
