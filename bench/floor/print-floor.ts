import { warmTurns, youngTurns, type Figures } from "./measure-subject.ts";

type Row = readonly [what: string | ((all: readonly Figures[]) => string), show: (figures: Figures) => string];

const whole = (value: number | undefined): string => (value === undefined ? "" : value.toFixed(0));
const tenths = (value: number | undefined): string => (value === undefined ? "" : value.toFixed(1));

const rows: readonly Row[] = [
  [
    "start until it asks for messages, ms (CPU)",
    ({ startMs, startCpuMs }) => `${whole(startMs)} (${whole(startCpuMs)})`,
  ],
  ["memory when idle, MB", ({ idleMb }) => whole(idleMb)],
  ["memory after 400 turns, MB", ({ after400Mb }) => whole(after400Mb)],
  [
    "memory after 5,000 and all turns of a long run, MB",
    ({ long }) => (long === undefined ? "" : `${whole(long.after5000Mb)}, ${whole(long.afterMb)} (${long.turns})`),
  ],
  [
    `turns 1 to ${youngTurns} at a person's pace, p50 ms (CPU)`,
    ({ young }) => `${whole(young.p50Ms)} (${tenths(young.cpuMs)})`,
  ],
  [
    (all) =>
      `a turn at a person's pace, turns ${warmTurns + 1} to ${warmTurns + (all[0]?.paceTurns ?? 0)}, p50 / p95 ms`,
    ({ paceP50Ms, paceP95Ms }) => `${whole(paceP50Ms)} / ${whole(paceP95Ms)}`,
  ],
  ["CPU of such a turn, ms", ({ paceCpuMs }) => tenths(paceCpuMs)],
  ["burst of 20 chats x 10, messages a second", ({ bursts }) => join(bursts, ({ perSecond }) => whole(perSecond))],
  ["CPU of a turn in the burst, ms", ({ bursts }) => join(bursts, ({ cpuMs }) => tenths(cpuMs))],
  ["part of one core in the burst, %", ({ bursts }) => join(bursts, ({ cpuShare }) => whole(100 * cpuShare))],
  ["lost, doubled, reordered", ({ faults }) => `${faults.lost}, ${faults.doubled}, ${faults.reordered}`],
  [
    "requests a turn: Telegram, model",
    (figures) => `${tenths(figures.telegramRequests)}, ${tenths(figures.modelRequests)}`,
  ],
  ["SQL calls a turn: quiet log, after a burst of 200", ({ sql }) => sql?.calls.map(whole).join(", ") ?? ""],
  ["commits a turn: the same", ({ sql }) => sql?.commits.map(tenths).join(", ") ?? ""],
  ["interrupted turn answered after the restart, ms", ({ restartMs }) => whole(restartMs)],
];

/** The first two bursts: later ones of a long run say nothing new. */
const join = (bursts: Figures["bursts"], show: (burst: Figures["bursts"][number]) => string): string =>
  bursts.slice(0, 2).map(show).join(", ");

export function printFloor(all: readonly Figures[]): void {
  console.log(`| | ${all.map(({ name }) => name).join(" | ")} |\n|---|${"---|".repeat(all.length)}`);
  for (const [what, show] of rows)
    console.log(`| ${typeof what === "string" ? what : what(all)} | ${all.map(show).join(" | ")} |`);
}
