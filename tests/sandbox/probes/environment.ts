import { writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Place, ProbeArea, Witness } from "./types.ts";

const canary = "KURISU_PROBE_CANARY";

/** A secret in the environment of the process that drives the sandbox, for as long as the probe runs. */
async function plantSecret(): Promise<Witness> {
  process.env[canary] = "must-not-get-out";
  return { close: () => void delete process.env[canary] };
}

async function leaveStartFile({ folder }: Place): Promise<void> {
  await writeFile(join(folder, "start.sh"), "echo taken over\n", { mode: 0o755 });
}

/** What a command is told about whoever runs it. */
export const environmentProbes: ProbeArea = {
  area: "environment",
  probes: [
    {
      name: "the gateway's environment is nowhere",
      prepare: plantSecret,
      command: "cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep -c -e CANARY -e must-not-get-out",
      expected: { stdout: "0\n" },
      plain: "same",
    },
    {
      name: "there is no variable that nobody promised",
      command: "env | cut -d= -f1 | grep -vxE 'HOME|HOSTNAME|LANG|PATH|PWD|OLDPWD|SHLVL|_' || echo none",
      expected: { stdout: "none\n" },
      plain: "same",
    },
    {
      name: "no variable outside the list gets in",
      environment: {
        [canary]: "x",
        LD_PRELOAD: "/workspace/x.so",
        PERL5OPT: "-MNothing",
        "BASH_FUNC_ls%%": "() { echo; }",
      },
      command: "env | grep -cE 'CANARY|LD_PRELOAD|PERL5OPT|BASH_FUNC'",
      expected: { stdout: "0\n" },
      plain: "bites",
    },
    {
      name: "no variable makes the shell read a file first",
      environment: { BASH_ENV: "/workspace/start.sh", ENV: "/workspace/start.sh" },
      prepare: leaveStartFile,
      command: "echo mine",
      expected: { stdout: "mine\n" },
      plain: "bites",
    },
    {
      name: "no start file of the workspace is read",
      prepare: async ({ folder }) => {
        for (const name of [".bashrc", ".bash_profile", ".profile", ".bash_login"])
          await writeFile(join(folder, name), "echo taken over\n");
      },
      command: "echo mine",
      expected: { stdout: "mine\n", stderr: "" },
      plain: "same",
    },
    {
      name: "the host's name is not told",
      command: "cat /proc/sys/kernel/hostname; cat /etc/hostname /etc/hosts",
      expected: { stdout: /^sandbox\nsandbox\n/ },
      prepare: async () => ({
        after: (_place, outcome) =>
          outcome.kind === "finished" && outcome.stdout.includes(hostname()) ? "it names the host" : undefined,
      }),
      plain: "bites",
    },
    {
      name: "the host's name servers are not told",
      command: "grep -E '^(nameserver|search|domain)' /etc/resolv.conf | grep -vx 'nameserver 127.0.0.1' || echo none",
      expected: { stdout: "none\n" },
      plain: "host differs",
    },
    {
      name: "no process of the host is seen",
      command:
        "cat /proc/[0-9]*/comm | grep -cE '^(dockerd|containerd|node|sshd|systemd)'; [ $(ls -d /proc/[0-9]* | wc -l) -lt 12 ] && echo few",
      expected: { stdout: "0\nfew\n" },
      plain: "same",
    },
  ],
};
