import type { Clock } from "../../core/clock.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import type { Store } from "../../store/open-store.ts";
import { appendAudit } from "../../store/queries/audit.ts";
import type { Workspace } from "../../workspace/types.ts";
import type { CommandAnswer, CommandCall } from "./command-call.ts";
import { tellAs } from "../outbox/tell-as.ts";

/** /undo: restores what file_delete removed, either the last item or the named one. */
export function createUndoDeletion(parts: {
  readonly store: Store;
  readonly workspace: Pick<Workspace, "restore">;
  readonly clock: Clock;
}): (call: CommandCall) => Promise<CommandAnswer> {
  return async ({ language, session, person, words, rest }: CommandCall): Promise<CommandAnswer> => {
    const restored = await parts.workspace.restore(session, rest === "" ? undefined : rest);
    const texts = words.command;
    switch (restored.kind) {
      case "empty":
        return { text: texts.trashEmpty };
      case "unknown":
        return { text: texts.trashHas(restored.known.map((item) => `${item.id}  ${makeVisible(item.path)}`)) };
      case "occupied":
        return tellAs("failed", language, texts.undoOccupied(makeVisible(restored.path)));
      case "failed":
        return tellAs("failed", language, texts.undoFailed(makeVisible(restored.error)));
      case "restored":
        break;
    }
    const { id, path } = restored;
    await appendAudit(parts.store.main, {
      actor: person.id,
      action: "file.restored",
      session,
      detail: { trash: id, path },
      now: parts.clock.now(),
    });
    return { text: texts.undone(makeVisible(path)) };
  };
}
