import { Session, type Profiler } from "node:inspector/promises";

export interface SelfTime {
  /** `function file:line`, without the path of this machine. */
  readonly where: string;
  readonly milliseconds: number;
  readonly percent: number;
}

/** Runs some work under V8's sampling profiler and answers where the time was spent, the most first. */
export async function profileCpu(work: () => Promise<void>, most: number): Promise<readonly SelfTime[]> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: 200 });
  await session.post("Profiler.start");
  await work();
  const { profile } = await session.post("Profiler.stop");
  session.disconnect();
  return sumSelfTimes(profile).slice(0, most);
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
