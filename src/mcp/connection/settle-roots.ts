import { setTimeout as pause } from "node:timers/promises";
import { McpFault } from "./mcp-fault.ts";

/** Milliseconds: for one sign of life, and for a server to make folders it was told of its own. */
const signOfLife = 2_000;
const takingOver = 100;

/**
 * Servers ask for the roots when the hands are shaken, and refuse everything in them until they have looked at the answer.
 * So the first call waits: what was asked before a ping is known when its answer comes.
 */
export async function settleRoots(parts: {
  /** Whether the server has asked for the roots. */
  readonly wereAsked: () => boolean;
  readonly ping: (signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
}): Promise<void> {
  const look = async (): Promise<void> => {
    try {
      await parts.ping(AbortSignal.any([parts.signal, AbortSignal.timeout(signOfLife)]));
    } catch (error) {
      // One that knows no ping, or is gone: the call itself will tell.
      if (!(error instanceof McpFault)) throw error;
    }
  };
  await look();
  if (!parts.wereAsked()) return;
  await pause(takingOver);
  await look();
}
