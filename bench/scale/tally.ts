/** How much is said. */
export interface Talk {
  readonly sessions: number;
  readonly messages: number;
}

/** What was said and what was answered. Messages are numbered through, `perSession` to a conversation. */
export interface Tally {
  readonly perSession: number;
  /** The number of the next message of a conversation, which counts as said. */
  say(session: number): number;
  saidIn(session: number): number;
  /** Messages without an answer. */
  open(session: number): number;
  /** An answer to this message is out. */
  sent(number: number): void;
  isComplete(): boolean;
  counts(): TallyCounts;
}

export interface TallyCounts {
  readonly said: number;
  /** Messages that have an answer. */
  readonly sent: number;
  readonly lost: number;
  readonly doubled: number;
  readonly reordered: number;
}

export function createTally({ sessions, messages }: Talk): Tally {
  const perSession = Math.ceil(messages / sessions);
  const said = new Int32Array(sessions);
  const answered = new Int32Array(sessions);
  const newest = new Int32Array(sessions).fill(-1);
  const isAnswered = new Uint8Array(sessions * perSession);
  let [saidCount, sentCount, doubled, reordered] = [0, 0, 0, 0];
  return {
    perSession,
    say(session) {
      const place = said[session] ?? 0;
      said[session] = place + 1;
      saidCount += 1;
      return session * perSession + place;
    },
    saidIn: (session) => said[session] ?? 0,
    open: (session) => (said[session] ?? 0) - (answered[session] ?? 0),
    sent(number) {
      if (isAnswered[number] === 1) {
        doubled += 1;
        return;
      }
      isAnswered[number] = 1;
      sentCount += 1;
      const session = Math.floor(number / perSession);
      const place = number % perSession;
      if (place !== (newest[session] ?? -1) + 1) reordered += 1;
      newest[session] = Math.max(newest[session] ?? -1, place);
      answered[session] = (answered[session] ?? 0) + 1;
    },
    isComplete: () => sentCount === sessions * perSession,
    counts: () => ({
      said: saidCount,
      sent: sentCount,
      lost: sessions * perSession - sentCount,
      doubled,
      reordered,
    }),
  };
}
