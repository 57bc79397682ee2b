import { vi } from "vitest";
import { assemble } from "../../../src/assembly/assemble.ts";
import { isOwnVariable } from "../../../src/config/own-variables.ts";
import { prepareSkillsFolder } from "../../../src/features/skills/store/open-skill-store.ts";
import { inspect } from "../../../src/assembly/inspect.ts";
import { openGround } from "../../../src/assembly/open-ground.ts";
import { runCommand } from "../../../src/cli/run-command.ts";
import { createLiveConfiguration } from "../../../src/config/live-configuration.ts";
import { loadConfiguration, type Configuration } from "../../../src/config.ts";
import { projectFolder } from "../../../src/core/project-folder.ts";
import type { KurisuFolder } from "./kurisu-folder.ts";
import { readOnce, type OnceResult } from "./run-once.ts";
import { describeEnvironment } from "./spawn-kurisu.ts";

/** What a command of the program left behind. */
export interface CommandResult {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

interface Place {
  readonly folder: KurisuFolder;
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * A command as `main.ts` runs it, in this process: it costs a tenth of a start of the program. For commands that end by
 * themselves, one after the other. What only a process has (its streams, signals and exit) is tried in stories/command-line.
 */
export async function runHere(given: readonly string[], { folder, environment = {} }: Place): Promise<CommandResult> {
  const all = describeEnvironment(folder, environment);
  const written = { out: "", error: "" };
  const catchInto =
    (name: keyof typeof written) =>
    (text: string | Uint8Array, ...more: readonly unknown[]) => {
      written[name] += String(text);
      const told = more.at(-1);
      if (typeof told === "function") told();
      return true;
    };
  const spies = [
    vi.spyOn(process.stdout, "write").mockImplementation(catchInto("out")),
    vi.spyOn(process.stderr, "write").mockImplementation(catchInto("error")),
  ];
  const before = process.listeners("unhandledRejection");
  const load = (previous?: Configuration): Configuration =>
    loadConfiguration({ environment: all, own: all, workingDirectory: projectFolder, previous });
  try {
    const code = await runCommand(given, {
      version: "0.0.0",
      environment: { own: all, all, envFile: `${folder.config}/../.env`, fault: undefined },
      configuration: () => load(),
      tolerantConfiguration: () => undefined,
      async assemble(configuration, options) {
        const ground = await openGround(configuration, { ...options, json: given.includes("--json") });
        return assemble(
          createLiveConfiguration(configuration, { load, also: [prepareSkillsFolder(configuration.home)], files: [] }),
          ground,
        );
      },
      inspect,
      isOwnVariable,
    });
    return { code, ...written };
  } finally {
    for (const spy of spies) spy.mockRestore();
    for (const listener of process.listeners("unhandledRejection"))
      if (!before.includes(listener)) process.off("unhandledRejection", listener);
  }
}

/** `runOnce` in this process, beside a Kurisu that runs. */
export async function runOnceHere(text: string, place: Place, ...more: readonly string[]): Promise<OnceResult> {
  const { code, out, error } = await runHere(["chat", "--once", text, "--json", ...more], place);
  return readOnce(code, out, error);
}
