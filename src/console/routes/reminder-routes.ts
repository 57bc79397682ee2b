import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import type { Language } from "../../core/conversation.ts";
import { AppError } from "../../core/errors.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import { describeRepetition } from "../../core/words/describe-time.ts";
import type { OwnerReminders, ReminderActor } from "../../features/reminders/owner-reminders.ts";
import type { ConsoleLogin } from "../../store/queries/console-sessions.ts";
import type { Reminder } from "../../features/reminders/queries/reminders.ts";
import { findListedSessions } from "../../store/queries/session-list.ts";
import type { Store } from "../../store/open-store.ts";
import { findLanguage } from "../door/find-language.ts";
import { readJson, refuse, type ConsoleContext, type Route } from "../door/guard.ts";
import { findOwnRows } from "../door/own-rows.ts";
import type { Standing } from "../door/sessions.ts";
import { maxName, nameSessions, toLine } from "../names/name-sessions.ts";
import type { RemindersView, ReminderView } from "../views/her-views.ts";

export interface ReminderParts {
  readonly store: Pick<Store, "main">;
  readonly reminders: OwnerReminders;
  readonly standing: Pick<Standing, "roleOf">;
  readonly language: () => Language;
  readonly clock: Clock;
}

const change = z.strictObject({ time: z.string().trim().min(1).max(200) });

/** The waiting reminders: of all people for an owner, their own for a member. */
export function listReminderRoutes({ clock, reminders, standing, store, ...parts }: ReminderParts): readonly Route[] {
  const idOf = (context: ConsoleContext) => context.req.param("id") ?? "";
  const refuseUnknown = (context: ConsoleContext) =>
    refuse(context, 404, "It does not wait any more: it came, or it was cancelled.");
  async function toActor(login: ConsoleLogin): Promise<ReminderActor> {
    const rows = await findOwnRows(store.main, login);
    if (rows.kind === "all") return { login: login.id };
    const { person: account } = login;
    return { login: login.id, own: { account, role: await standing.roleOf(account), accounts: rows.accounts } };
  }

  return [
    {
      method: "GET",
      path: "/reminders",
      role: "self",
      async answer(context, login) {
        const waiting = await reminders.list(await toActor(login));
        const sessions = [...new Set(waiting.map(({ session }) => session))];
        const chats = await nameSessions(store.main, await findListedSessions(store.main, sessions));
        const language = findLanguage(context, parts.language());
        const now = clock.now();
        return context.json({
          now,
          items: waiting.map((reminder) => describe(reminder, chats, language, now)),
        } satisfies RemindersView);
      },
    },
    {
      method: "PUT",
      path: "/reminders/:id",
      role: "self",
      async answer(context, login) {
        const given = change.safeParse(await readJson(context));
        if (!given.success) return refuse(context, 400, "Say the time in words, such as tomorrow 9:00.");
        const by = { ...(await toActor(login)), language: findLanguage(context, parts.language()) };
        const end = await reminders.change(idOf(context), given.data.time, by);
        if (end.kind === "unknown") return refuseUnknown(context);
        return end.kind === "refused" ? refuse(context, 400, end.text) : context.body(null, 204);
      },
    },
    {
      method: "DELETE",
      path: "/reminders/:id",
      role: "self",
      async answer(context, login) {
        try {
          await reminders.cancel(idOf(context), await toActor(login));
          return context.body(null, 204);
        } catch (error) {
          if (error instanceof AppError && error.code === "USAGE") return refuseUnknown(context);
          throw error;
        }
      },
    },
  ];
}

function describe(
  { heldDue, id, name, nextDue, schedule, session, task, text }: Reminder,
  chats: ReadonlyMap<string, string>,
  language: Language,
  now: number,
): ReminderView {
  const repeats = describeRepetition(schedule, language);
  return {
    id,
    text: makeVisible(text),
    isTask: task,
    person: toLine(name, maxName),
    session,
    chat: chats.get(session) ?? toLine(session, maxName),
    platform: session.split(":")[0] ?? "",
    at: nextDue ?? now,
    isHeld: heldDue !== null,
    ...(repeats !== undefined && { repeats }),
  };
}
