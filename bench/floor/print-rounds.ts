import { median } from "../statistics.ts";
import { pacedTurns, warmTurns, type Comparison, type VersionFigures } from "./compare.ts";
import { compareRounds, roundCount, roundSentences, type Ratio, type Role, type Round } from "./rounds.ts";
import { crowd } from "./subjects.ts";

type Row = readonly [
  what: string,
  show: (figures: VersionFigures) => string,
  ratio?: (figures: VersionFigures) => number,
];

const whole = (value: number): string => value.toFixed(0);
const tenths = (value: number): string => value.toFixed(1);

const rows: readonly Row[] = [
  [
    `CPU of a turn at a person's pace, turns ${warmTurns + 1} to ${warmTurns + pacedTurns}, ms`,
    ({ paceCpuMs }) => tenths(paceCpuMs),
    ({ paceCpuMs }) => paceCpuMs,
  ],
  ["such a turn, p50 ms", ({ paceP50Ms }) => tenths(paceP50Ms), ({ paceP50Ms }) => paceP50Ms],
  ["memory when idle, MB", ({ idleMb }) => whole(idleMb), ({ idleMb }) => idleMb],
  ["start until it asks for messages, ms", ({ startMs }) => whole(startMs), ({ startMs }) => startMs],
  ["CPU of a start, ms", ({ startCpuMs }) => whole(startCpuMs), ({ startCpuMs }) => startCpuMs],
  ["SQL calls a turn: quiet log, after a burst of 200", ({ sql }) => sql.calls.map(whole).join(", ")],
  ["commits a turn: the same", ({ sql }) => sql.commits.map(tenths).join(", ")],
];

export function printComparison({ rounds, faults, versions }: Comparison): void {
  const bursts = `${roundCount} alternating rounds, bursts of ${crowd.length} chats x ${roundSentences}`;
  console.log(`\n| ${bursts} | median within a round (range) |\n|---|---|`);
  for (const [what, ratio] of listRatios(rounds)) console.log(`| ${what} | ${ratio} |`);
  for (const role of Object.keys(rounds[0] ?? {}) as Role[]) {
    const own = (figure: "perSecond" | "cpuMs") => median(rounds.map((round) => round[role]?.[figure] ?? Number.NaN));
    console.log(`| ${role}: messages a second; CPU ms a turn | ${whole(own("perSecond"))}; ${tenths(own("cpuMs"))} |`);
  }
  console.log(`| lost, doubled, reordered | ${faults.lost}, ${faults.doubled}, ${faults.reordered} |`);
  const [mine, other] = versions;
  if (mine === undefined || other === undefined) return;
  console.log(`\n| | this (${mine.name}) | that (${other.name}) | this / that |\n|---|---|---|---|`);
  for (const [what, show, ratio] of rows) {
    const compared = ratio === undefined ? "" : (ratio(mine) / ratio(other)).toFixed(2);
    console.log(`| ${what} | ${show(mine)} | ${show(other)} | ${compared} |`);
  }
}

function listRatios(rounds: readonly Round[]): readonly (readonly [what: string, ratio: string])[] {
  const runs = (role: Role) => rounds[0]?.[role] !== undefined;
  const perSecond = (one: Role, other: Role) => compareRounds(rounds, "perSecond", one, other);
  const all: readonly (readonly [what: string, one: Role, other: Role, ratio: string])[] = [
    ["CPU of a burst turn, this / that", "this", "that", show(compareRounds(rounds, "cpuMs", "this", "that"))],
    ["messages a second, this / that", "this", "that", show(perSecond("this", "that"))],
    ["messages a second, this in % of bare telegraf", "this", "telegraf", showPercent(perSecond("this", "telegraf"))],
    ["messages a second, that in % of bare telegraf", "that", "telegraf", showPercent(perSecond("that", "telegraf"))],
    [
      "messages a second, this: Postgres / SQLite",
      "this on Postgres",
      "this",
      show(perSecond("this on Postgres", "this")),
    ],
    [
      "messages a second, that: Postgres / SQLite",
      "that on Postgres",
      "that",
      show(perSecond("that on Postgres", "that")),
    ],
    [
      "messages a second on Postgres, this / that",
      "this on Postgres",
      "that on Postgres",
      show(perSecond("this on Postgres", "that on Postgres")),
    ],
  ];
  return all.flatMap(([what, one, other, ratio]) => (runs(one) && runs(other) ? [[what, ratio] as const] : []));
}

const show = ({ median: middle, least, most }: Ratio): string =>
  `${middle.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`;

const showPercent = ({ median: middle, least, most }: Ratio): string =>
  `${tenths(100 * middle)} (${tenths(100 * least)} to ${tenths(100 * most)})`;
