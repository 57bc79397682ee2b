import { Session, type Profiler } from "node:inspector/promises";

export interface SelfTime {
  /** `function file:line`, without the path of this machine. */
  readonly where: string;
  readonly milliseconds: number;
  readonly percent: number;
}

/** Runs some work under V8's sampling profiler and answers where the time was spent, the most first. */
export async function profileCpu(work: () => Promise<void>): Promise<readonly SelfTime[]> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: 200 });
  await session.post("Profiler.start");
  await work();
  const { profile } = await session.post("Profiler.stop");
  session.disconnect();
  return sumSelfTimes(profile);
}

/** The same by whose code it is: a package, our `src`, or `native` (SQLite's own among it). */
export function groupByOwner(spent: readonly SelfTime[]): readonly SelfTime[] {
  const owners = Map.groupBy(spent, ({ where }) => {
    const file = where.split(" ").at(-1) ?? "";
    if (!file.includes("/")) return where.includes(" ") ? "node" : "native";
    if (file.startsWith("node:")) return "node";
    return file
      .split("/")
      .slice(0, file.startsWith("@") ? 2 : 1)
      .join("/");
  });
  return [...owners]
    .map(([where, parts]) => ({
      where,
      milliseconds: parts.reduce((sum, part) => sum + part.milliseconds, 0),
      percent: parts.reduce((sum, part) => sum + part.percent, 0),
    }))
    .sort((a, b) => b.milliseconds - a.milliseconds);
}

function sumSelfTimes(profile: Profiler.Profile): SelfTime[] {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node.callFrame]));
  const sums = new Map<string, number>();
  let total = 0;
  for (const [index, id] of (profile.samples ?? []).entries()) {
    const frame = nodes.get(id);
    const spent = (profile.timeDeltas?.[index] ?? 0) / 1_000;
    if (!frame || frame.functionName === "(idle)") continue;
    total += spent;
    const where = describeFrame(frame);
    sums.set(where, (sums.get(where) ?? 0) + spent);
  }
  return [...sums]
    .map(([where, milliseconds]) => ({ where, milliseconds, percent: (100 * milliseconds) / total }))
    .sort((a, b) => b.milliseconds - a.milliseconds);
}

function describeFrame({ functionName, url, lineNumber }: Profiler.Profile["nodes"][number]["callFrame"]): string {
  const name = functionName === "" ? "(anonymous)" : functionName;
  if (url === "") return name;
  const file = url.replace(/^.*\/node_modules\//, "").replace(/^.*\/(?=(?:src|tests|bench)\/)/, "");
  return `${name} ${file}:${lineNumber + 1}`;
}
