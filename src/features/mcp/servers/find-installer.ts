import { basename } from "node:path";

/** Programs that fetch a server before they start it, and the words behind them that say so. */
const commands: Readonly<Record<string, readonly string[]>> = {
  npx: [""],
  uvx: [""],
  bunx: [""],
  pnpx: [""],
  npm: ["exec", "x"],
  pnpm: ["dlx"],
  yarn: ["dlx"],
  bun: ["x"],
  uv: ["tool run", "run"],
  pipx: ["run"],
  deno: ["run"],
};

/** Words that running installers print at the beginning of a line. */
const signs: readonly (readonly [string, RegExp])[] = [
  ["npm", /^npm (?:warn|WARN) (?:deprecated|exec The following package)/m],
  ["uv", /^(?:Downloading|Building|Resolved \d|Prepared \d|Installed \d)/m],
  ["pip", /^Collecting \S/m],
  ["docker", /^(?:Unable to find image|[\w./-]{1,200}: Pulling from|[0-9a-f]{6,64}: Pulling fs layer)/m],
];

/** The installer that a command line begins with, such as "npx" or "pnpm dlx"; undefined = it starts a program at once. */
export function findInstaller(started: {
  readonly command: string;
  readonly args: readonly string[];
}): string | undefined {
  const { args, command } = started;
  const program = basename(command);
  const words = Object.hasOwn(commands, program) ? commands[program] : undefined;
  const given = args.filter((arg) => !arg.startsWith("-")).join(" ");
  const found = words?.find((word) => word === "" || given === word || given.startsWith(`${word} `));
  return found === undefined ? undefined : `${program} ${found}`.trim();
}

/** The installer that a piece of error output is of; undefined = it is of none. */
export function findInstallerAtWork(errorOutput: string): string | undefined {
  return signs.find(([, pattern]) => pattern.test(errorOutput))?.[0];
}
