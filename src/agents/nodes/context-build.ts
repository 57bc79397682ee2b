import type { Clock } from "../../core/clock.ts";
import type { Language } from "../../core/conversation.ts";
import { chooseWindow } from "../../store/queries/messages.ts";
import { readMode, type SessionMode } from "../../tools/session-mode.ts";
import type { TurnStateUpdate, TurnStateValue } from "../state.ts";

/** Chooses what the model sees of the conversation and writes down the moment. Only bounds go into the state. */
export function createContextBuild(parts: {
  readonly clock: Clock;
  /** Messages: at least `size` of them where there are so many; the start moves in steps of `block`. */
  readonly findMode: (session: string) => Promise<string | null>;
  /** How a person likes things, for the model; "" = nothing is known. */
  readonly findPreferences: (person: string, language: Language) => Promise<string>;
  readonly window: () => { readonly size: number; readonly block: number };
}) {
  const describeMoment = createMomentWords();
  return async (state: TurnStateValue): Promise<TurnStateUpdate> => {
    const { input } = state;
    const { size, block } = parts.window();
    const mode = readMode(await parts.findMode(input.session));
    const frozen = (input.frozenCalls ?? []).map((call, index) => ({ id: `1.${index + 1}`, ...call }));
    return {
      window: chooseWindow(input.startPosition, input.position, size, block),
      moment: describeMoment(parts.clock.now(), input.zone) + describeMode(mode),
      taint: input.taint,
      // In a group only those of who speaks; a sub-agent talks to nobody.
      preferences: input.agent ? "" : await parts.findPreferences(input.person.id, input.language),
      ...(frozen.length > 0 && {
        round: 1,
        requested: frozen,
        transcript: [{ role: "assistant", text: "", calls: frozen }],
      }),
    };
  };
}

function describeMode(mode: SessionMode): string {
  if (mode.kind === "act") return "";
  const where =
    mode.paths.length === 0
      ? "nothing may be changed or run"
      : `only files under ${mode.paths.join(", ")} may be changed`;
  return `\nmode: plan (${where}; look, think, and put a plan to the person, who turns it off with /act)`;
}

/** Formats of a zone are kept: making one takes longer than all else this node does. */
function createMomentWords() {
  const zones = new Map<string, { readonly local: Intl.DateTimeFormat; readonly weekday: Intl.DateTimeFormat }>();
  return (now: number, zone: string): string => {
    const known = zones.get(zone) ?? {
      local: new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" }),
      weekday: new Intl.DateTimeFormat("en-US", { timeZone: zone, weekday: "long" }),
    };
    zones.set(zone, known);
    return `${known.local.format(now)}, ${known.weekday.format(now)} (${zone})`;
  };
}
