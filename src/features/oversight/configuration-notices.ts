import { oversightWords } from "./words.ts";
import { sep } from "node:path";
import type { Logger } from "pino";
import { hashJson } from "../../core/canonical-json.ts";
import type { Clock } from "../../core/clock.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import type { TellOwners } from "../../kernel/outbox/tell-owners.ts";

/** The first of many faults; the rest comes when these are mended. */
const maxFaults = 8;
const maxFaultLength = 300;
/** Processes that share a configuration notice a change within seconds of each other. */
const togetherMs = 10 * 60_000;

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
  readonly clock: Pick<Clock, "now">;
  readonly log: Pick<Logger, "error">;
}): ConfigurationNotices {
  let told = "";
  const toldOf: Record<"waiting" | "kept", readonly string[]> = { waiting: [], kept: [] };

  /** How often each notice was given in the current ten minutes. */
  const given = { period: 0, times: new Map<string, number>() };

  /** The same in every process that has the same to tell at about the same time, so that the owners hear it once. */
  function nameNotice(kind: string, lines: readonly string[]): string {
    const period = Math.floor(parts.clock.now() / togetherMs);
    if (period !== given.period) {
      given.period = period;
      given.times.clear();
    }
    const name = `configuration:${period}:${hashJson([kind, ...lines])}`;
    // A fault that is mended and made again is told again.
    const time = (given.times.get(name) ?? 0) + 1;
    given.times.set(name, time);
    return `${name}:${time}`;
  }

  const tell = (kind: string, lines: readonly string[], text: Parameters<TellOwners>[1]): void => {
    parts
      .tellOwners(nameNotice(kind, lines), text)
      .catch((error: unknown) => parts.log.error({ err: error }, "the owners could not be told of the configuration"));
  };

  /** Without the folder, which each process may have elsewhere. */
  const listFaults = () => told.split("\n").map((fault) => fault.replace(`${parts.folder}${sep}`, ""));

  function tellNew(kind: "waiting" | "kept", lines: readonly string[]): void {
    const isNew = lines.some((line) => !toldOf[kind].includes(line));
    toldOf[kind] = lines;
    if (isNew) tell(kind, lines, (_words, language) => oversightWords[language].configuration[kind](shorten(lines)));
  }

  return {
    faulty(faults) {
      if (faults === told) return;
      told = faults;
      const all = listFaults();
      const shown = all.slice(0, maxFaults).map((fault) => makeVisible(fault).slice(0, maxFaultLength));
      const left = all.length - shown.length;
      tell("faulty", all, (_words, language) =>
        oversightWords[language].configuration.faulty({ lines: shown.join("\n"), left }),
      );
    },
    good() {
      if (told === "") return;
      const mended = listFaults();
      told = "";
      tell("good", mended, (_words, language) => oversightWords[language].configuration.good);
    },
    waiting: (keys) => tellNew("waiting", keys),
    kept: (lines) => tellNew("kept", lines),
  };
}

function shorten(lines: readonly string[]): readonly string[] {
  const shown = lines.slice(0, maxFaults).map((line) => makeVisible(line).slice(0, maxFaultLength));
  return lines.length > maxFaults ? [...shown, `… +${lines.length - maxFaults}`] : shown;
}
