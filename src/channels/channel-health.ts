import type { Clock } from "../core/clock.ts";

/** The common states, for people to read in their language; absent when only `detail` describes it. */
export type ChannelNews =
  | { readonly kind: "connecting" }
  /** The platform has to connect to us there. */
  | { readonly kind: "waiting"; readonly at: string }
  | {
      readonly kind: "connected";
      readonly as: string;
      /** The platform posts to that address. */
      readonly at?: string;
      /** It does not get everything: groups by Telegram's privacy mode, guilds by QQ's rights. */
      readonly misses?: "groups" | "guilds";
    }
  | { readonly kind: "serving"; readonly model: string }
  /** Another process of the same database is connected. */
  | { readonly kind: "standby" };

export interface ChannelHealth {
  readonly state: "off" | "starting" | "ready" | "degraded" | "failed";
  readonly since: number;
  /** The fault and its remedy, or the connected accounts. */
  readonly detail: string;
  /** The last sign of life from the platform, milliseconds; absent when there was none yet, or no peer to give one. */
  readonly aliveAt?: number;
  readonly news?: ChannelNews;
}

/** The channel's state for `doctor` and /readyz; `since` moves only when the state does. */
export interface HealthBoard {
  readonly read: () => ChannelHealth;
  readonly report: (state: ChannelHealth["state"], detail: string, news?: ChannelNews) => void;
  /** The platform gave a sign of life. */
  readonly noteLife: () => void;
}

/** With `silenceMs` a channel that runs counts as failed when it heard nothing for that long. */
export function createHealthBoard(clock: Clock, silenceMs = Infinity): HealthBoard {
  // Until its start it takes nothing in, and /readyz must not say otherwise.
  let health: ChannelHealth = { state: "starting", since: clock.now(), detail: "not started yet" };
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
