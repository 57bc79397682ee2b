import type { Language } from "../../core/conversation.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import { tellDetail } from "../../core/words/tell-finding.ts";
import type { Readiness } from "../../kernel/http/mount-readiness.ts";
import type { PartView } from "../views/today-views.ts";

/** The parts without `work`, since the pause is shown on its own. */
export function listParts(ready: Readonly<Record<string, Readiness>>, language: Language): readonly PartView[] {
  return Object.entries(ready)
    .filter(([name]) => name !== "work")
    .map(([name, { state, since, detail }]) => ({
      name,
      state,
      since,
      detail: makeVisible(tellDetail(detail, language)),
    }));
}
