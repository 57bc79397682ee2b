import { setSessionMode } from "../../store/queries/sessions.ts";
import type { Store } from "../../store/open-store.ts";
import { writeMode, type SessionMode } from "../gate/session-mode.ts";
import type { CommandAnswer, CommandCall } from "./command-call.ts";
import { parseWorkspacePath } from "../../workspace/parse-workspace-path.ts";

/**
 * `/plan`, `/plan notes drafts` and `/act`: whether a session may act or only look. Applies from the next call on,
 * including running turns and earlier approvals.
 */
export function createPlanMode({ store }: { readonly store: Store }) {
  const set = (session: string, mode: SessionMode) => setSessionMode(store.main, session, writeMode(mode));

  return {
    async plan({ session, rest, words }: CommandCall): Promise<CommandAnswer> {
      const parsed = rest
        .split(/[\s,，、]+/)
        .flatMap((path) => (path === "" ? [] : [{ path, answer: parseWorkspacePath(path) }]));
      const wrong = parsed.find(({ answer }) => !answer.ok);
      if (wrong) return { text: words.mode.wrongPath(wrong.path) };
      const paths = parsed.flatMap(({ answer }) => (answer.ok ? [answer.relative] : []));
      await set(session, { kind: "plan", paths });
      return { text: paths.length === 0 ? words.mode.plan : words.mode.planWithin(paths) };
    },
    async act({ session, words }: CommandCall): Promise<CommandAnswer> {
      await set(session, { kind: "act" });
      return { text: words.mode.act };
    },
  };
}
