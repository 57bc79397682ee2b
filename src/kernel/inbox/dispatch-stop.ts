import type { Language } from "../../core/conversation.ts";
import { wordsFor } from "../../core/words/words.ts";
import { findSession } from "../../store/queries/sessions.ts";
import { listTurns } from "../../store/queries/turns.ts";
import type { Store } from "../../store/open-store.ts";
import type { createStopWork } from "../commands/stop-work.ts";
import type { SystemReplies } from "../outbox/system-replies.ts";
import type { Access } from "../people/access.ts";
import type { HandleEvent } from "./dispatch.ts";

/** The stop button of a platform means /stop by the presser, until its turn has ended. */
export function createDispatchStop(parts: {
  readonly store: Store;
  readonly access: Pick<Access, "identify">;
  readonly stop: ReturnType<typeof createStopWork>["stop"];
  readonly systemReplies: Pick<SystemReplies, "finish" | "tell">;
}): HandleEvent<"stop"> {
  const { store, access, systemReplies } = parts;
  return async (item, press) => {
    const atWork = await listTurns(store.main, ["running", "parked"], item.session);
    const person = await access.identify(press);
    if (person.role !== "guest" && atWork.some(({ id }) => id === press.turn)) {
      const language = ((await findSession(store.main, item.session))?.language ?? "zh") as Language;
      const told = await parts.stop({
        session: item.session,
        person,
        language,
        words: wordsFor(language),
        rest: "",
      });
      await systemReplies.tell(`${item.id}.answer`, item.session, () => told);
    }
    await systemReplies.finish(item);
  };
}
