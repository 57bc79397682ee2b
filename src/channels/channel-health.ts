import type { Clock } from "../core/clock.ts";
import type { ChannelHealth } from "./types.ts";

/** The channel's state for `doctor` and /readyz; `since` moves only when the state does. */
export interface HealthBoard {
  readonly read: () => ChannelHealth;
  readonly report: (state: ChannelHealth["state"], detail: string) => void;
  /** The platform gave a sign of life. */
  readonly noteLife: () => void;
}

export function createHealthBoard(clock: Clock): HealthBoard {
  let health: ChannelHealth = { state: "off", since: clock.now(), detail: "not started" };
  return {
    read: () => health,
    report(state, detail) {
      health = { ...health, state, since: state === health.state ? health.since : clock.now(), detail };
    },
    noteLife() {
      health = { ...health, aliveAt: clock.now() };
    },
  };
}
