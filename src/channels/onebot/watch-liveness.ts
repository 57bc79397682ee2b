import { WebSocket } from "ws";
import { z } from "zod";

/** Milliseconds. */
export interface LivenessPace {
  /** An implementation that sends no heartbeats is asked for a sign of life after this much silence. */
  readonly silenceMs: number;
  /** How long it may take to give one. */
  readonly pongMs: number;
}

const heartbeat = z.object({ meta_event_type: z.literal("heartbeat"), interval: z.number().positive() });
const missedIntervals = 2.5;
/** An interval longer than this is no promise of life. */
const longestSilenceMs = 10 * 60_000;

/** Notices a half-dead connection: silence is answered by a ping, and a ping without a pong is the end. */
export function watchLiveness(
  socket: WebSocket,
  pace: LivenessPace,
  onDead: (reason: string) => void,
): { heard(frame: object): void; stop(): void } {
  let promised: number | undefined;
  let timer: NodeJS.Timeout;
  let stopped = false;

  function rest(ms: number): void {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(ask, ms);
  }

  function ask(): void {
    // Before the handshake is over its own time limit counts.
    if (socket.readyState !== WebSocket.OPEN) return rest(pace.silenceMs);
    socket.ping();
    timer = setTimeout(() => onDead("it gave no sign of life and did not answer a ping"), pace.pongMs);
  }

  socket.on("pong", () => rest(promised ?? pace.silenceMs));
  timer = setTimeout(ask, pace.silenceMs);

  return {
    heard(frame) {
      const beat = heartbeat.safeParse(frame).data;
      if (beat !== undefined) promised = Math.min(beat.interval * missedIntervals, longestSilenceMs);
      // Once heartbeats were promised, nothing else stands in for them.
      if (beat !== undefined || promised === undefined) rest(promised ?? pace.silenceMs);
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
