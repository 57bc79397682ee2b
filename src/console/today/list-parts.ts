import { makeVisible } from "../../core/persona/show-payload.ts";
import type { Readiness } from "../../kernel/http/mount-readiness.ts";
import type { PartView } from "../views/today-views.ts";

/** The pause is told by itself. */
export function listParts(ready: Readonly<Record<string, Readiness>>): readonly PartView[] {
  return Object.entries(ready)
    .filter(([name]) => name !== "work")
    .map(([name, { state, since, detail }]) => ({ name, state, since, detail: makeVisible(detail) }));
}
