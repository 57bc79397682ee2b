import { RequestError } from "@agentclientprotocol/sdk";
import type { CommandLineEvent } from "../../channels/terminal/events.ts";

type StopReason = "end_turn" | "cancelled";

/** A prompt that an editor waits for: the lines and presses that belong to it, and the turns they led to. */
interface Waiting {
  readonly causes: Set<string>;
  readonly turns: Set<string>;
  cancelled: boolean;
  resolve(reason: StopReason): void;
  reject(error: Error): void;
}

/** The prompts of a session, and which event ends which of them. */
export interface Prompts {
  /** Says something. Answers how the resulting turn ended. */
  follow(say: () => Promise<string>): Promise<StopReason>;
  /** Ends the prompts that an event ends. Answers their turns; undefined when it ends none. */
  take(event: CommandLineEvent): readonly string[] | undefined;
  /** An answer was given to a question of that turn. */
  join(turn: string | null, cause: string): void;
  /** The turn has ended without a message. */
  end(turn: string | null): void;
  /** Marks all. False when there is none. */
  cancel(): boolean;
  areCancelled(): boolean;
  /** Ends all that are marked. */
  endCancelled(): void;
  fail(error: Error): void;
}

/** Events that came before their line's id was known. */
const maxRecent = 100;

export function createPrompts(): Prompts {
  const waiting = new Set<Waiting>();
  let recent: CommandLineEvent[] = [];
  let saying = 0;

  function finish(one: Waiting, reason: StopReason): void {
    waiting.delete(one);
    one.resolve(one.cancelled ? "cancelled" : reason);
  }

  /** True when this event ends it. */
  function hear(one: Waiting, event: CommandLineEvent): boolean {
    const turn = "turn" in event ? event.turn : null;
    const isTheirs =
      (event.cause !== undefined && one.causes.has(event.cause)) || (turn !== null && one.turns.has(turn));
    if (!isTheirs) return false;
    if (turn !== null) one.turns.add(turn);
    if (event.type === "reply") finish(one, "end_turn");
    else if (event.type === "error") {
      if (one.cancelled || event.code === "TURN_STOPPED") finish(one, "cancelled");
      else {
        waiting.delete(one);
        one.reject(new RequestError(-32603, event.message, { code: event.code }));
      }
    } else return false;
    return true;
  }

  return {
    async follow(say) {
      const { promise, reject, resolve } = Promise.withResolvers<StopReason>();
      // It may fail before a caller awaits it.
      promise.catch(() => undefined);
      const one: Waiting = { causes: new Set(), turns: new Set(), cancelled: false, resolve, reject };
      waiting.add(one);
      saying += 1;
      try {
        one.causes.add(await say());
      } catch (error) {
        waiting.delete(one);
        throw error;
      } finally {
        saying -= 1;
      }
      recent.some((event) => hear(one, event));
      if (saying === 0) recent = [];
      return promise;
    },
    take(event) {
      if (saying > 0) recent = [...recent.slice(1 - maxRecent), event];
      const ended = [...waiting].filter((one) => hear(one, event));
      return ended.length === 0 ? undefined : ended.flatMap(({ turns }) => [...turns]);
    },
    join(turn, cause) {
      for (const one of waiting) if (turn !== null && one.turns.has(turn)) one.causes.add(cause);
    },
    end(turn) {
      for (const one of waiting) if (turn !== null && one.turns.has(turn)) finish(one, "cancelled");
    },
    cancel() {
      for (const one of waiting) one.cancelled = true;
      return waiting.size > 0;
    },
    areCancelled: () => [...waiting].some(({ cancelled }) => cancelled),
    endCancelled() {
      for (const one of waiting) if (one.cancelled) finish(one, "cancelled");
    },
    fail(error) {
      for (const one of waiting) {
        waiting.delete(one);
        one.reject(error);
      }
    },
  };
}
