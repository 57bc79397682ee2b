import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { Place, Probe, ProbeArea, Witness } from "./types.ts";

/**
 * Whether a process still holds the pipe `alive` open for writing. The kernel says it at once, whatever container the
 * process is in: a read that does not wait answers "end" without a writer, EAGAIN with one.
 */
async function findSurvivor({ folder }: Place): Promise<string | undefined> {
  const pipe = await open(join(folder, "alive"), constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    await pipe.read(Buffer.alloc(1), 0, 1, null);
    return undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return "a process is still alive";
    throw error;
  } finally {
    await pipe.close();
  }
}

const watchPipe = async (): Promise<Witness> => ({ after: findSurvivor });

const daemon = "'exec 9<>alive; trap \"\" TERM INT HUP; echo > ready; sleep 300'";

/** `begin` leaves the daemon behind; then the command ends as told. */
function leaves(name: string, begin: string, more: Partial<Probe> = {}): Probe {
  return {
    name,
    prepare: watchPipe,
    command: `mkfifo alive; ${begin}; until [ -e ready ]; do sleep 0.05; done; echo left`,
    expected: { exitCode: 0, stdout: "left\n" },
    plain: "same",
    ...more,
  };
}

/** Signals, leftovers and commands that do not want to end. */
export const processProbes: ProbeArea = {
  area: "processes",
  probes: [
    {
      name: "PID 1 can neither be killed nor stopped",
      command: "kill -9 1; kill -STOP 1; for i in 1 2 3; do kill -ABRT 1 2>/dev/null; done; echo alive",
      expected: { exitCode: 0, stdout: "alive\n" },
      plain: "same",
    },
    {
      name: "killing everybody kills nobody else",
      command: "kill -9 -1; echo alive",
      expected: { exitCode: 0, stdout: "alive\n" },
      plain: "same",
      next: { command: "echo again", expected: { stdout: "again\n" } },
    },
    {
      name: "a signal that ends the command is reported",
      command: "kill -TERM $$; echo lives on",
      expected: { exitCode: 143, stdout: "" },
      plain: "bites",
    },
    {
      name: "a busy loop ends at the time limit",
      command: "while :; do :; done",
      expected: { timedOut: true, exitCode: 137 },
      timeoutMs: 1000,
      plain: "same",
    },
    {
      name: "a command that ignores every polite signal ends at the time limit",
      prepare: watchPipe,
      command: "mkfifo alive; exec 9<>alive; trap '' TERM INT HUP QUIT ALRM USR1; while :; do sleep 1; done",
      expected: { timedOut: true, exitCode: 137 },
      timeoutMs: 2500,
      plain: "same",
    },
    {
      name: "a command that stops itself ends at the time limit",
      command: "kill -STOP $$; echo went on",
      expected: { timedOut: true, exitCode: 137, stdout: "" },
      timeoutMs: 1500,
      plain: "bites",
    },
    leaves("a background job does not stay", `bash -c ${daemon} & :`),
    leaves("a job that holds the output open does not hold the answer back", `bash -c ${daemon} & disown`, {
      timeoutMs: 10_000,
    }),
    leaves("a session of its own does not stay", `setsid -f bash -c ${daemon} </dev/null >/dev/null 2>&1`),
    leaves("nohup does not stay", `nohup bash -c ${daemon} >/dev/null 2>&1 & :`),
    leaves(
      "a daemon that forked twice does not stay",
      `perl -e 'use POSIX; exit if fork; POSIX::setsid(); exit if fork; exec "bash", "-c", $ARGV[0]' ${daemon} >/dev/null 2>&1 </dev/null`,
    ),
    leaves(
      "a daemon under another name and at idle priority does not stay",
      `(exec -a '[kworker/0:1]' nice -n 19 setsid bash -c ${daemon}) >/dev/null 2>&1 & :`,
    ),
    {
      ...leaves("nothing stays after the time limit either", `setsid -f bash -c ${daemon} >/dev/null 2>&1`),
      command: `mkfifo alive; setsid -f bash -c ${daemon} >/dev/null 2>&1; until [ -e ready ]; do sleep 0.05; done; echo left; sleep 300`,
      expected: { timedOut: true, exitCode: 137, stdout: "left\n" },
      timeoutMs: 3000,
    },
    {
      name: "a swarm that keeps forking does not stay",
      prepare: watchPipe,
      command: `mkfifo alive; exec 9<>alive; perl -e 'exit if fork; POSIX::setsid() if eval { require POSIX }; while (1) { exit if fork }' & sleep 0.5; echo left`,
      expected: { exitCode: 0, stdout: "left\n" },
      plain: "same",
    },
    {
      name: "the dead are buried",
      command:
        "for i in $(seq 20); do (setsid -f true); done; for i in $(seq 50); do n=$(grep -l '^State:.Z' /proc/[0-9]*/status 2>/dev/null | wc -l); [ $n = 0 ] && break; sleep 0.1; done; echo $n",
      expected: { stdout: "0\n" },
      plain: "host differs",
    },
    {
      name: "no scheduler keeps a job for later",
      command: "command -v at batch crontab systemctl systemd-run || echo none",
      expected: { stdout: "none\n" },
      plain: "same",
    },
    {
      name: "nothing but the workspace goes from one command to the next",
      command:
        "echo kept > file; for place in /tmp /dev/shm; do echo lost > $place/probe; done; perl -e 'semget(7, 1, 01666) // die; msgget(7, 0)'; echo made",
      expected: { stdout: /made\n$/ },
      next: {
        command:
          "cat file; tail -qn +2 /proc/sysvipc/sem /proc/sysvipc/msg /proc/sysvipc/shm | wc -l; ls -A /dev/mqueue | wc -l",
        expected: { stdout: "kept\n0\n0\n" },
      },
      plain: "same",
    },
  ],
};
