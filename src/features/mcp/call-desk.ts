import { raceAbort } from "../../core/abort.ts";
import { McpFault } from "./connection/mcp-fault.ts";
import type { ToolContext } from "../../kernel/tools/types.ts";

/** A call that is in flight. The server may ask its person a question in the meantime. */
export interface CallInFlight {
  readonly context: ToolContext;
  /** Measures how long the call takes. It stands while a person is asked something. */
  readonly clock: { readonly signal: AbortSignal; pause(): void; resume(): void };
  /** Aborts when the call has ended: from then on no answer is needed. */
  readonly over: AbortSignal;
  /** Questions of the server during this call. */
  readonly elicitations: { open: number; all: number };
}

/**
 * The calls in flight over one connection, and whom a question of the server is for. The protocol does not say which call a
 * question belongs to. So once a server has asked something, it gets calls of one person at a time, and others wait.
 */
export interface CallDesk {
  readonly size: number;
  /** Lets the call in, after those of other people where the server asks questions. Throws McpFault. */
  enter(call: CallInFlight, signal: AbortSignal, onWait: () => void): Promise<void>;
  leave(call: CallInFlight): void;
  /** The calls of the person whom a question is for; empty if that cannot be determined. */
  findAsked(signal: AbortSignal): Promise<readonly CallInFlight[]>;
}

export function createCallDesk(): CallDesk {
  const calls = new Set<CallInFlight>();
  /** In the order in which they came. */
  const queue: { readonly call: CallInFlight; readonly admit: () => void }[] = [];
  /** Questions that wait until it is clear whom they are for. */
  const unclear = new Set<() => void>();
  let asksPeople = false;

  const belongsToOthers = (call: CallInFlight): boolean => [...calls].some((other) => !isOfSamePerson(call, other));

  function admitNext(): void {
    while (queue[0] !== undefined && !belongsToOthers(queue[0].call)) {
      const next = queue.shift();
      if (next === undefined) return;
      calls.add(next.call);
      next.admit();
    }
  }

  function look(): void {
    admitNext();
    for (const retry of unclear) retry();
  }

  return {
    get size() {
      return calls.size;
    },
    async enter(call, signal, onWait) {
      if (!asksPeople || (queue.length === 0 && !belongsToOthers(call))) {
        calls.add(call);
        return;
      }
      onWait();
      const { promise, resolve } = Promise.withResolvers<void>();
      const entry = { call, admit: resolve };
      queue.push(entry);
      try {
        await raceAbort(promise, signal);
      } catch (error) {
        if (queue.includes(entry)) queue.splice(queue.indexOf(entry), 1);
        else calls.delete(call);
        look();
        throw error === signal.reason ? new McpFault("stopped", "stopped") : error;
      }
    },
    leave(call) {
      calls.delete(call);
      look();
    },
    async findAsked(signal) {
      asksPeople = true;
      for (;;) {
        const [call, ...others] = calls;
        if (call === undefined || signal.aborted) return [];
        if (others.every((other) => isOfSamePerson(call, other))) return [...calls];
        // Each of the calls waits for an answer: none of them ends before.
        if (unclear.size + 1 >= calls.size) {
          for (const retry of unclear) retry();
          return [];
        }
        const { promise, resolve } = Promise.withResolvers<void>();
        unclear.add(resolve);
        signal.addEventListener("abort", () => resolve(), { once: true });
        await promise;
        unclear.delete(resolve);
      }
    },
  };
}

/** Aborts when the last of the calls has ended. */
export function untilAllOver(calls: readonly CallInFlight[]): AbortSignal {
  const all = new AbortController();
  const signals = calls.map(({ clock, over }) => AbortSignal.any([clock.signal, over]));
  const look = (): void => {
    if (signals.every(({ aborted }) => aborted)) all.abort();
  };
  for (const signal of signals) signal.addEventListener("abort", look, { once: true });
  look();
  return all.signal;
}

function isOfSamePerson({ context: a }: CallInFlight, { context: b }: CallInFlight): boolean {
  return a.session === b.session && a.person.id === b.person.id;
}
