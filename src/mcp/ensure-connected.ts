import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import { describeError } from "../core/errors.ts";
import type { ServerSlot } from "./server-slot.ts";

/** Milliseconds that a start, a turn or a login waits for servers that were never seen. */
const patienceMs = 10_000;

export interface FirstSight {
  /** Starts a server and looks at what it has. Never throws: the reason is kept where people look for it. */
  meet(slot: ServerSlot): Promise<void>;
  /** The same for a turn, which waits once for a server that is slow; the next one finds it, or goes on without. */
  meetOnce(slot: ServerSlot): Promise<unknown>;
  /** Who is slower joins later. */
  wait(work: Promise<unknown>): Promise<unknown>;
}

export function createFirstSight(parts: {
  readonly signal: AbortSignal;
  readonly log: Pick<Logger, "warn">;
}): FirstSight {
  const waits = new WeakMap<ServerSlot, Promise<unknown>>();
  const wait = (work: Promise<unknown>) => Promise.race([work, pause(patienceMs, undefined, { ref: false })]);

  async function meet(slot: ServerSlot): Promise<void> {
    // One that has a connection for each session is looked at from a place of its own.
    const session = `mcp:${slot.server.name}`;
    try {
      await slot.connect(session, parts.signal);
    } catch (error) {
      parts.log.warn(
        { server: slot.server.name, reason: describeError(error) },
        "an MCP server could not be looked at",
      );
    }
  }

  return {
    meet,
    meetOnce(slot) {
      const work = meet(slot);
      const waiting = waits.get(slot) ?? wait(work);
      waits.set(slot, waiting);
      return waiting;
    },
    wait,
  };
}
