import type { Logger } from "pino";
import type { Clock } from "../../core/clock.ts";
import type { ConsoleDecisions, ConsolePreviewStart } from "../../kernel/questions/decide-at-console.ts";
import type { Store } from "../../store/open-store.ts";
import { noteChange } from "../../store/queries/changes.ts";
import type { Question } from "../../store/queries/questions.ts";
import { readBlocks } from "./read-blocks.ts";
import type { PreviewView } from "../views/question-views.ts";

type Wish = Parameters<ConsoleDecisions["preview"]>[0];

/** Previews that pages asked for. Their results stay until the question ends, and no longer than this process. */
export interface CardPreviews {
  /** The end is noted in `changes`, so that every page reads the question again. */
  begin(wish: Pick<Wish, "question" | "shown" | "language">): Promise<ConsolePreviewStart>;
  /** The result for exactly these calls. */
  find(question: Question): PreviewView | undefined;
}

/** Results of questions that stay open for long; the oldest goes first. */
const maxKept = 50;

export function createCardPreviews({
  clock,
  decisions,
  log,
  store,
}: {
  readonly decisions: Pick<ConsoleDecisions, "preview">;
  readonly store: Pick<Store, "main">;
  readonly clock: Clock;
  readonly log: Pick<Logger, "warn">;
}): CardPreviews {
  const kept = new Map<string, { readonly calls: string; readonly view: PreviewView }>();

  async function keep(id: string, calls: string, view: PreviewView | undefined): Promise<void> {
    kept.delete(id);
    if (view) kept.set(id, { calls, view });
    const [oldest] = kept.keys();
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
    try {
      await noteChange(store.main, { topic: "questions", id, session: null });
    } catch (error) {
      log.warn({ err: error, question: id }, "pages were not told of a preview; they show it when they read again");
    }
  }

  return {
    begin({ question: id, shown, ...wish }) {
      const calls = describeCalls(shown);
      return decisions.preview({
        ...wish,
        question: id,
        shown,
        announce: () => keep(id, calls, { kind: "running" }),
        // Work is stopped together with its question.
        receive: ({ kind, text }) =>
          keep(id, calls, kind === "stopped" ? undefined : { kind, at: clock.now(), blocks: readBlocks(text) }),
      });
    },
    find({ calls, id, state }) {
      const found = kept.get(id);
      if (state !== "open") kept.delete(id);
      return state === "open" && found?.calls === describeCalls(calls) ? found.view : undefined;
    },
  };
}

const describeCalls = (calls: Wish["shown"]): string => JSON.stringify(calls.map(({ call, hash }) => [call, hash]));
