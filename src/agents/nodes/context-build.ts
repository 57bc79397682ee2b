import type { Clock } from "../../core/clock.ts";
import { chooseWindow } from "../../store/queries/messages.ts";
import type { TurnStateUpdate, TurnStateValue } from "../state.ts";

/** Chooses what the model sees of the conversation and writes down the moment. Only bounds go into the state. */
export function createContextBuild(parts: {
  readonly clock: Clock;
  /** Messages: at least `size` of them where there are so many; the start moves in steps of `block`. */
  readonly window: () => { readonly size: number; readonly block: number };
}) {
  const describeMoment = createMomentWords();
  return (state: TurnStateValue): TurnStateUpdate => {
    const { input } = state;
    const { size, block } = parts.window();
    const frozen = (input.frozenCalls ?? []).map((call, index) => ({ id: `1.${index + 1}`, ...call }));
    return {
      window: chooseWindow(input.startPosition, input.position, size, block),
      moment: describeMoment(parts.clock.now(), input.zone),
      taint: input.taint,
      ...(frozen.length > 0 && {
        round: 1,
        requested: frozen,
        transcript: [{ role: "assistant", text: "", calls: frozen }],
      }),
    };
  };
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
