import { z } from "zod";
import type { OutboundMessage } from "../../channels/types.ts";
import type { Language } from "../../core/conversation.ts";
import type { Clock } from "../../core/clock.ts";
import type { LogRing } from "../../core/log-ring.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import type { SystemActions } from "../../kernel/commands/system-actions.ts";
import type { Readiness } from "../../kernel/http/mount-readiness.ts";
import { countQueues, listDeadLetters, type DeadLetter } from "../../store/queries/dead-letters.ts";
import { findPause } from "../../store/queries/pause.ts";
import { findListedSessions } from "../../store/queries/session-list.ts";
import type { Store } from "../../store/open-store.ts";
import { readJson, refuse, type Route } from "../door/guard.ts";
import { nameSessions, toLine } from "../names/name-sessions.ts";
import { findLanguage } from "../door/find-language.ts";
import { listParts } from "../today/list-parts.ts";
import type { DeadLettersView, DeadLetterView, LogView, ResumedView, SystemView } from "../views/system-views.ts";
import { describeLine } from "./describe-log.ts";
import { readRowNumber } from "./read-row-number.ts";

export interface SystemParts {
  readonly readiness: () => Promise<Readonly<Record<string, Readiness>>>;
  readonly language: () => Language;
  readonly store: Pick<Store, "main">;
  readonly system: SystemActions;
  readonly logRing: Pick<LogRing, "id" | "listAfter">;
  readonly version: string;
  readonly clock: Clock;
}

const lettersAtOnce = 50;
const maxText = 200;
const pauseRequest = z.union([
  z.strictObject({ on: z.literal(true) }),
  z.strictObject({ on: z.literal(false), drop: z.boolean().default(false) }),
]);

/** How she runs: her parts, queues and log, and the kill switch. */
export function listSystemRoutes(parts: SystemParts): readonly Route[] {
  const { clock, store, system } = parts;
  return [
    {
      method: "GET",
      path: "/system",
      role: "owner",
      async answer(context) {
        const [ready, pause, queues] = await Promise.all([
          parts.readiness(),
          findPause(store.main),
          countQueues(store.main),
        ]);
        const { oldestUnsent, ...counts } = queues;
        const view: SystemView = {
          now: clock.now(),
          version: parts.version,
          parts: listParts(ready, findLanguage(context, parts.language())),
          ...(pause && { pause: { since: pause.since, name: makeVisible(pause.name) } }),
          queues: { ...counts, ...(oldestUnsent !== undefined && { oldestUnsent }) },
        };
        return context.json(view);
      },
    },
    {
      method: "GET",
      path: "/dead-letters",
      role: "owner",
      async answer(context) {
        const before = readRowNumber(context.req.query("cursor"));
        if (before === "invalid") return refuse(context, 400, "The cursor is not one of ours.");
        const found = await listDeadLetters(store.main, { before, limit: lettersAtOnce + 1 });
        const shown = found.slice(0, lettersAtOnce);
        const ids = [...new Set(shown.map(({ session }) => session))];
        const names = await nameSessions(store.main, await findListedSessions(store.main, ids));
        const last = shown.at(-1);
        const view: DeadLettersView = {
          items: shown.map((letter) => describeLetter(letter, names)),
          ...(found.length > lettersAtOnce && last && { next: String(last.seq) }),
        };
        return context.json(view);
      },
    },
    {
      method: "POST",
      path: "/dead-letters/:id/retry",
      role: "owner",
      async answer(context, login) {
        const end = await system.retryLetter(context.req.param("id") ?? "", login.id);
        switch (end) {
          case "queued":
            return context.body(null, 202);
          case "question":
            return refuse(context, 400, "It asked for an approval that has ended; nobody could answer it.");
          case "file":
            return refuse(context, 400, "Its file is no longer kept. Ask her to send it again.");
          case "unknown":
            return refuse(context, 404, "It is not there any more, or was sent again already.");
        }
      },
    },
    {
      method: "DELETE",
      path: "/dead-letters/:id",
      role: "owner",
      async answer(context, login) {
        const end = await system.dropLetter(context.req.param("id") ?? "", login.id);
        return end === "unknown" ? refuse(context, 404, "It is not there any more.") : context.body(null, 204);
      },
    },
    {
      method: "POST",
      path: "/pause",
      role: "owner",
      async answer(context, login) {
        const given = pauseRequest.safeParse(await readJson(context));
        if (!given.success) return refuse(context, 400, "Say on: true or false; drop goes with false only.");
        if (given.data.on) {
          await system.pause(login.id);
          return context.body(null, 204);
        }
        const kept = await system.resume(login.id, given.data.drop);
        return context.json({ kept: kept ?? 0 } satisfies ResumedView);
      },
    },
    {
      method: "GET",
      path: "/log",
      role: "owner",
      async answer(context) {
        const after = readRowNumber(context.req.query("after"));
        if (after === "invalid") return refuse(context, 400, "after is the number of a line.");
        const { id: start, listAfter } = parts.logRing;
        // Numbers of a start before count for nothing.
        const lines = listAfter(context.req.query("start") === start ? (after ?? 0) : 0);
        const last = listAfter(0).at(-1)?.number ?? 0;
        const view: LogView = { lines: lines.map((line) => describeLine(line, clock.now())), start, last };
        return context.json(view);
      },
    },
  ];
}

function describeLetter(letter: DeadLetter, names: ReadonlyMap<string, string>): DeadLetterView {
  const { file, question, standsFor, text } = JSON.parse(letter.payload) as OutboundMessage;
  return {
    id: letter.id,
    session: letter.session,
    chat: names.get(letter.session) ?? makeVisible(letter.session),
    at: letter.createdAt,
    text: toLine(text === "" && file ? file.name : text, maxText),
    reason: toLine(letter.reason, maxText),
    isPartlySent: letter.isPartlySent,
    mayRetry: question === undefined && standsFor === undefined,
  };
}
