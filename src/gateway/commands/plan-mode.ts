import type { Words } from "../../core/words/dictionary.ts";
import { setSessionMode } from "../../store/queries/sessions.ts";
import type { Store } from "../../store/open-store.ts";
import { writeMode, type SessionMode } from "../../policy/session-mode.ts";
import { parseWorkspacePath } from "../../workspace/parse-workspace-path.ts";

/**
 * `/plan`, `/plan notes drafts` and `/act`: what a session may do besides looking. It holds from the next call on, also for a
 * turn that is at work and for what was approved before.
 */
export function createPlanMode({ store }: { readonly store: Store }) {
  const set = (session: string, mode: SessionMode) => setSessionMode(store.main, session, writeMode(mode));

  return {
    async plan(session: string, rest: string, words: Words): Promise<string> {
      const parsed = rest
        .split(/[\s,，、]+/)
        .flatMap((path) => (path === "" ? [] : [{ path, answer: parseWorkspacePath(path) }]));
      const wrong = parsed.find(({ answer }) => !answer.ok);
      if (wrong) return words.mode.wrongPath(wrong.path);
      const paths = parsed.flatMap(({ answer }) => (answer.ok ? [answer.relative] : []));
      await set(session, { kind: "plan", paths });
      return paths.length === 0 ? words.mode.plan : words.mode.planWithin(paths);
    },
    async act(session: string, words: Words): Promise<string> {
      await set(session, { kind: "act" });
      return words.mode.act;
    },
  };
}
