import type { Clock } from "../core/clock.ts";
import type { ChannelHealth, ChannelNews } from "./types.ts";

/** The channel's state for `doctor` and /readyz; `since` moves only when the state does. */
export interface HealthBoard {
  readonly read: () => ChannelHealth;
  readonly report: (state: ChannelHealth["state"], detail: string, news?: ChannelNews) => void;
  /** The platform gave a sign of life. */
  readonly noteLife: () => void;
}

/** With `silenceMs` a channel that runs counts as failed when it heard nothing for that long. */
export function createHealthBoard(clock: Clock, silenceMs = Infinity): HealthBoard {
  let health: ChannelHealth = { state: "off", since: clock.now(), detail: "not started" };
  let startedAt: number | undefined;
  let aliveAt: number | undefined;

  return {
    noteLife: () => void (aliveAt = clock.now()),
    read() {
      const deafFrom = (aliveAt ?? startedAt ?? Infinity) + silenceMs;
      const runs = health.state === "ready" || health.state === "degraded";
      const shown = aliveAt === undefined ? health : { ...health, aliveAt };
      if (!runs || clock.now() <= deafFrom) return shown;
      const detail = `nothing was heard for more than ${Math.round(silenceMs / 1_000)} s; ${health.detail}`;
      const { news: _, ...rest } = shown;
      return { ...rest, state: "failed", since: deafFrom, detail };
    },
    report(state, detail, news) {
      if (state !== "off") startedAt ??= clock.now();
      const since = state === health.state ? health.since : clock.now();
      health = { state, since, detail, ...(news && { news }) };
    },
  };
}
