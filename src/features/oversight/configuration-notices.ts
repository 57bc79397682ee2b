import { oversightWords } from "./words.ts";
import { sep } from "node:path";
import type { Logger } from "pino";
import { createId } from "../../core/ids.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import type { TellOwners } from "../../kernel/outbox/tell-owners.ts";

/** The first of many faults; the rest comes when these are mended. */
const maxFaults = 8;
const maxFaultLength = 300;

export interface ConfigurationNotices {
  /** One fault per line, as `file:line:column key: what is wrong`. The same ones are reported once. */
  faulty(faults: string): void;
  /** All faults are fixed; sent to the owners who heard of one. */
  good(): void;
  /** The keys that wait for a restart, as `file: key`; reported when there is a new one. */
  waiting(keys: readonly string[]): void;
  /** The parts that could not be used and stay as they were; reported when there is a new one. */
  kept(lines: readonly string[]): void;
}

/** Tells the owners in private that the changed files are not in force, and when they are again. */
export function createConfigurationNotices(parts: {
  /** Files in it are named by their place there. */
  readonly folder: string;
  readonly tellOwners: TellOwners;
  readonly log: Pick<Logger, "error">;
}): ConfigurationNotices {
  let told = "";
  const toldOf: Record<"waiting" | "kept", readonly string[]> = { waiting: [], kept: [] };

  const tell = (text: Parameters<TellOwners>[1]): void => {
    parts
      .tellOwners(createId("configuration", Date.now()), text)
      .catch((error: unknown) => parts.log.error({ err: error }, "the owners could not be told of the configuration"));
  };

  function tellNew(kind: "waiting" | "kept", lines: readonly string[]): void {
    const isNew = lines.some((line) => !toldOf[kind].includes(line));
    toldOf[kind] = lines;
    if (isNew) tell((_words, language) => oversightWords[language].configuration[kind](shorten(lines)));
  }

  return {
    faulty(faults) {
      if (faults === told) return;
      told = faults;
      const all = faults.split("\n").map((fault) => fault.replace(`${parts.folder}${sep}`, ""));
      const shown = all.slice(0, maxFaults).map((fault) => makeVisible(fault).slice(0, maxFaultLength));
      const left = all.length - shown.length;
      tell((_words, language) => oversightWords[language].configuration.faulty({ lines: shown.join("\n"), left }));
    },
    good() {
      if (told === "") return;
      told = "";
      tell((_words, language) => oversightWords[language].configuration.good);
    },
    waiting: (keys) => tellNew("waiting", keys),
    kept: (lines) => tellNew("kept", lines),
  };
}

function shorten(lines: readonly string[]): readonly string[] {
  const shown = lines.slice(0, maxFaults).map((line) => makeVisible(line).slice(0, maxFaultLength));
  return lines.length > maxFaults ? [...shown, `… +${lines.length - maxFaults}`] : shown;
}
