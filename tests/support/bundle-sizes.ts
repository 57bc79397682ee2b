/** What the bundle may weigh, in bytes and files. `why` says what the number consists of, and what raised it last. */
export interface SizeRow {
  readonly bytes: number;
  readonly files: number;
  /** Modules of the sources and packages. */
  readonly modules: number;
  readonly why: string;
}

export const bundleSizes = {
  program: {
    bytes: 3_366_650,
    files: 235,
    modules: 1_652,
    why: "what every command loads before it is known which one it is: the entry, main.ts and all that they import; the console shares small files with it; the console's own chat, and the triggers and indexes that its pages read by, the small files that its editor of the configuration shares with the start, and what its page of skills shares with the commands; the hourly backups and the checks of the start, the claims of conversations and platforms, and the counts of turns, models, tools and approvals came last",
  },
  idle: {
    bytes: 4_485_306,
    files: 324,
    modules: 2_175,
    why: "what a bot on Telegram and SQLite has loaded when it has started, before its first message: the program, LangGraph, the tools, dockerode; the watch of running turns, and the actions of the owner on memories, reminders, people and skills, the small parts of backups and of members at the console, and the counts of what happens came last",
  },
  all: {
    bytes: 7_783_605,
    files: 439,
    modules: 3_196,
    why: "every file: also channels, other commands and what is loaded when it is needed first; the pages of the console (stream, chats, questions, turns), the persona's page with its trials, members, backup, restore and migrate-store, pg-boss, which only a start on Postgres loads, prom-client, which the first request of /metrics loads, and OpenTelemetry, which a start with a collector loads, came last",
  },
} as const satisfies Readonly<Record<string, SizeRow>>;

/** Above a row, a change has to raise the number and to say why. */
const slack = 1.02;

/** One line for each number that a row does not allow. */
export function listGrown(name: keyof typeof bundleSizes, measured: Omit<SizeRow, "why">): readonly string[] {
  const allowed = bundleSizes[name];
  return (["bytes", "files", "modules"] as const).flatMap((what) =>
    measured[what] > allowed[what] * slack
      ? [`${name}: ${measured[what]} ${what}, and the row allows ${allowed[what]} and 2 %`]
      : [],
  );
}
