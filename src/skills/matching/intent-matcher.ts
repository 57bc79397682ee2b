import type { Logger } from "pino";
import { startStoppableThread, type StoppableThread } from "../../core/stoppable-thread.ts";
import type { MatchedSkill } from "./rule-matcher.ts";

/** The ids of the skills an utterance calls for, the surest first. Never throws: none, when it cannot be told in time. */
export type IntentMatcher = (skills: readonly MatchedSkill[], utterance: string) => Promise<readonly string[]>;

/** What the worker is asked, one at a time. */
export type MatchWork =
  | { readonly kind: "load"; readonly skills: readonly MatchedSkill[] }
  | { readonly kind: "match"; readonly utterance: string };

/** An honest message takes a few milliseconds. */
const usualLimitMs = 1_000;
/** Hundreds of patterns are read once. */
const loadLimitMs = 20_000;
/** The thread is given back when nobody has said anything for so long. */
const idleMs = 300_000;
const heapMegabytes = 64;

type Thread = StoppableThread<MatchWork, readonly string[]>;

/**
 * Patterns of skills run on the backtracking engine, over text of anybody. They run on a thread that is ended when its time
 * is over: such a message has no skills, and nobody else notices. One thread for the process, from the first message on.
 */
export function createIntentMatcher(parts: { readonly log: Logger; readonly limitMs?: number }): IntentMatcher {
  const { log, limitMs = usualLimitMs } = parts;
  let kept: { readonly thread: Thread; readonly skills: readonly MatchedSkill[] } | undefined;
  let before: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;

  async function match(skills: readonly MatchedSkill[], utterance: string): Promise<readonly string[]> {
    clearTimeout(idle);
    const thread = kept?.thread ?? startStoppableThread(new URL("match-worker.ts", import.meta.url), { heapMegabytes });
    const loaded =
      kept?.skills === skills
        ? { kind: "answered" as const, result: [] }
        : await thread.ask({ kind: "load", skills: skills.map(pickMatched) }, { limitMs: loadLimitMs });
    const answer = loaded.kind === "answered" ? await thread.ask({ kind: "match", utterance }, { limitMs }) : loaded;
    if (answer.kind === "answered") {
      kept = { thread, skills };
      idle = setTimeout(() => void end(thread), idleMs);
      idle.unref();
      return answer.result;
    }
    await end(thread);
    log.warn(
      { characters: utterance.length, ...(answer.kind === "failed" && { err: answer.error }) },
      answer.kind === "failed"
        ? "the skills that a message calls for could not be told; its turn goes on without them"
        : "telling which skills a message calls for took too long and was stopped; its turn goes on without them",
    );
    return [];
  }

  async function end(thread: Thread): Promise<void> {
    kept = undefined;
    await thread.end();
  }

  return (skills, utterance) => {
    if (skills.length === 0 || utterance.trim() === "") return Promise.resolve([]);
    const result = before.then(() => match(skills, utterance));
    before = result;
    return result;
  };
}

function pickMatched({ id, type, effects, trigger }: MatchedSkill): MatchedSkill {
  return { id, type, effects, trigger };
}
