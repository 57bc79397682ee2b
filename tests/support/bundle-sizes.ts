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
    bytes: 3_223_586,
    files: 208,
    modules: 1_552,
    why: "what every command loads before it is known which one it is: the entry, main.ts and all that they import; the console shares small files with it",
  },
  idle: {
    bytes: 4_338_016,
    files: 298,
    modules: 2_071,
    why: "what a bot on Telegram and SQLite has loaded when it has started, before its first message: the program, LangGraph, the tools, dockerode",
  },
  all: {
    bytes: 6_602_726,
    files: 388,
    modules: 2_740,
    why: "every file: also channels, other commands and what is loaded when it is needed first",
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
