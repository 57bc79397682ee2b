import { spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { untilTestEnds } from "../keep-until.ts";
import { describeEnvironment, program, type SpawnOptions } from "./spawn-kurisu.ts";

/** The real program in a real terminal. */
export interface Terminal {
  type(text: string): void;
  /** Everything that it wrote, with its control sequences. */
  raw(): string;
  /** The same without them: what is overwritten stands there too. */
  seen(): string;
  ended(): Promise<number | null>;
}

export const enter = "\r";
export const altEnter = "\u001B\r";

export function openTerminal(
  given: readonly string[],
  { folder, environment = {}, columns = 100 }: SpawnOptions,
): Terminal {
  const command = [process.execPath, ...program, ...given].map((word) => `'${word}'`).join(" ");
  const child = spawn("script", ["-qefc", `stty cols ${columns} rows 40; exec ${command}`, "/dev/null"], {
    env: describeEnvironment(folder, { TERM: "xterm-256color", ...environment }),
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
  child.stdin.on("error", () => undefined);
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  untilTestEnds(async () => {
    // Closes the terminal, and with it what runs there.
    if (child.exitCode === null) child.kill("SIGTERM");
    await ended;
  });
  return {
    type: (text) => void child.stdin.write(text),
    raw: () => output,
    seen: () => stripVTControlCharacters(output).replaceAll("\r", ""),
    ended: () => ended,
  };
}
