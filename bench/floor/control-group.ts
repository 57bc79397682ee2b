import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A limit of memory and processor time, made of Linux control groups. Needs root, or a delegated cgroup v2 subtree. */
export interface ControlGroup {
  /** A process that writes its id into each of these is limited. */
  readonly entrances: readonly string[];
  /** The most memory used so far (page cache included) in MB, and how often somebody was killed for it. */
  read(): { readonly peakMb: number; readonly kills: number };
  remove(): void;
}

const periodUs = 100_000;

export function createControlGroup(limits: { readonly memoryMb: number; readonly cores: number }): ControlGroup {
  const root = "/sys/fs/cgroup";
  const name = `kurisu-bench-${process.pid}`;
  const bytes = String(limits.memoryMb * 1024 * 1024);
  const quota = String(limits.cores * periodUs);
  if (existsSync(join(root, "cgroup.controllers"))) {
    const folder = make(join(root, name), {
      "memory.max": bytes,
      "memory.swap.max": "0",
      "cpu.max": `${quota} ${periodUs}`,
    });
    return open([folder], join(folder, "memory.peak"), join(folder, "memory.events"));
  }
  const memory = make(join(root, "memory", name), { "memory.limit_in_bytes": bytes, "memory.swappiness": "0" });
  const cpu = make(join(root, "cpu", name), { "cpu.cfs_period_us": String(periodUs), "cpu.cfs_quota_us": quota });
  return open([memory, cpu], join(memory, "memory.max_usage_in_bytes"), join(memory, "memory.oom_control"));
}

/** The same command, begun within the limits. */
export function enterControlGroup({ entrances }: ControlGroup, command: readonly string[]): readonly string[] {
  const enter = entrances.map((file) => `echo $$ > '${file}'`).join(" && ");
  return ["/bin/sh", "-c", `${enter} && exec "$@"`, "sh", ...command];
}

function make(folder: string, settings: Readonly<Record<string, string>>): string {
  mkdirSync(folder, { recursive: true });
  for (const [file, value] of Object.entries(settings)) {
    if (existsSync(join(folder, file))) writeFileSync(join(folder, file), value);
  }
  return folder;
}

function open(folders: readonly string[], peakFile: string, killsFile: string): ControlGroup {
  return {
    entrances: folders.map((folder) => join(folder, "cgroup.procs")),
    read: () => ({
      peakMb: Number(readFileSync(peakFile, "utf8")) / 1024 / 1024,
      kills: Number(/^oom_kill (\d+)/m.exec(readFileSync(killsFile, "utf8"))?.[1] ?? 0),
    }),
    remove: () => {
      for (const folder of folders) rmdirSync(folder);
    },
  };
}
