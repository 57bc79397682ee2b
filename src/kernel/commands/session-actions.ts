import { randomUUID } from "node:crypto";
import type { Language } from "../../core/conversation.ts";
import { wordsFor } from "../../core/words/words.ts";
import { appendAudit } from "../../store/queries/audit.ts";
import type { Clock } from "../../core/clock.ts";
import {
  chooseSessionLanguage,
  findSession,
  setSessionBusy,
  setSessionMode,
  setSessionModel,
  type BusyMode,
  type SessionRow,
} from "../../store/queries/sessions.ts";
import type { Store } from "../../store/open-store.ts";
import { writeMode } from "../gate/session-mode.ts";
import type { Person } from "../gate/types.ts";
import type { SystemReplies } from "../outbox/system-replies.ts";
import { consoleOwner } from "../../core/own-platforms.ts";
import type { createStopWork } from "./stop-work.ts";

/** null = as it is without a choice. */
interface SessionChoices {
  readonly mode?: "act" | "plan" | undefined;
  readonly language?: Language | null | undefined;
  readonly model?: string | null | undefined;
  readonly busy?: BusyMode | undefined;
}

type ActionResult =
  | { readonly kind: "done" }
  | { readonly kind: "unknown" }
  /** In the words of the chat command. */
  | { readonly kind: "refused"; readonly text: string };

/** The actions of an owner on a conversation in the web console, with the effect of the chat commands. */
export interface SessionActions {
  /** As /stop by an owner; the chat is told the same. `idle` = nothing ran or waited. */
  stop(session: string, login: string): Promise<"stopped" | "idle" | "unknown">;
  /** As /new. */
  startOver(session: string, login: string): Promise<"done" | "unknown">;
  /** As /plan, /act, /lang, /model and /busy: all of it or nothing. The texts are in `language`. */
  choose(
    session: string,
    choices: SessionChoices,
    by: { readonly login: string; readonly language: Language },
  ): Promise<ActionResult>;
  /** The settings that may be chosen there. */
  listModels(): readonly string[];
  canSteer(platform: string): boolean;
}

const owner: Person = { id: consoleOwner, name: "", role: "owner" };

export function createSessionActions(parts: {
  readonly store: Store;
  readonly stopWork: Pick<ReturnType<typeof createStopWork>, "stopNow" | "startOver">;
  readonly systemReplies: Pick<SystemReplies, "tell">;
  /** `provider:name`, the default one first. */
  readonly listChoices: () => readonly string[];
  /** Whether messages can join a running turn there. */
  readonly joins: (platform: string) => boolean;
  readonly clock: Clock;
}): SessionActions {
  const { stopWork, store, systemReplies } = parts;

  const record = (action: string, session: string, detail: Readonly<Record<string, string | null>>): Promise<void> =>
    appendAudit(store.main, { actor: consoleOwner, action, session, detail, now: parts.clock.now() });

  function askAs({ id, language }: SessionRow) {
    const own = language as Language;
    return { session: id, person: owner, language: own, words: wordsFor(own), rest: "" };
  }

  const tell = (session: string, told: Parameters<SystemReplies["tell"]>[2]) =>
    systemReplies.tell(`console.${randomUUID()}`, session, told);

  function findFault(
    { platform }: SessionRow,
    { busy, model }: SessionChoices,
    language: Language,
  ): string | undefined {
    const { busy: busyWords, choices } = wordsFor(language);
    if (typeof model === "string" && !parts.listChoices().includes(model)) return choices.modelUnknown;
    return busy === "steer" && !parts.joins(platform) ? busyWords.notHere : undefined;
  }

  return {
    listModels: parts.listChoices,
    canSteer: parts.joins,
    async stop(session, login) {
      const row = await findSession(store.main, session);
      if (!row) return "unknown";
      const { isIdle, told } = await stopWork.stopNow(askAs(row));
      if (isIdle) return "idle";
      await record("session.stopped", session, { login });
      await tell(session, () => told);
      return "stopped";
    },
    async startOver(session, login) {
      const row = await findSession(store.main, session);
      if (!row) return "unknown";
      const told = await stopWork.startOver(askAs(row));
      await record("session.started-over", session, { login });
      await tell(session, () => told);
      return "done";
    },
    async choose(session, choices, { language, login }) {
      const row = await findSession(store.main, session);
      if (!row) return { kind: "unknown" };
      const fault = findFault(row, choices, language);
      if (fault !== undefined) return { kind: "refused", text: fault };
      await store.main.transaction().execute(async (tx) => {
        if (choices.mode === "plan") await setSessionMode(tx, session, writeMode({ kind: "plan", paths: [] }));
        if (choices.mode === "act") await setSessionMode(tx, session, writeMode({ kind: "act" }));
        if (choices.language !== undefined) await chooseSessionLanguage(tx, session, choices.language);
        if (choices.model !== undefined) await setSessionModel(tx, session, choices.model);
        if (choices.busy !== undefined) await setSessionBusy(tx, session, choices.busy);
      });
      const chosen = Object.entries(choices).filter(
        (choice): choice is [string, string | null] => choice[1] !== undefined,
      );
      await record("session.chosen", session, { ...Object.fromEntries(chosen), login });
      return { kind: "done" };
    },
  };
}
