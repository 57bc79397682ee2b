import { z } from "zod";
import type { Language } from "../../core/conversation.ts";
import type { ConsoleHooks } from "../../kernel/feature/console-hooks.ts";
import type { SessionActions } from "../../kernel/commands/session-actions.ts";
import { readMode } from "../../kernel/gate/session-mode.ts";
import type { EraseConversation } from "../../features/erase/erase-conversation.ts";
import { findListedSessions } from "../../store/queries/session-list.ts";
import { nameSessions } from "../names/name-sessions.ts";
import type { Store } from "../../store/open-store.ts";
import { findSession, type SessionRow } from "../../store/queries/sessions.ts";
import { findLanguage } from "../door/find-language.ts";
import { readJson, refuse, type ConsoleContext, type Route } from "../door/guard.ts";
import { findOwnRows, isOwnSession } from "../door/own-rows.ts";
import type { SessionSettingsView } from "../views/chats-views.ts";

export interface SessionParts {
  readonly store: Pick<Store, "main">;
  readonly actions: SessionActions;
  readonly eraseConversation: EraseConversation;
  /** Undefined where the feature that exports is taken out. */
  readonly writeConversation: ConsoleHooks["writeConversation"];
  readonly language: () => Language;
}

const named = z.strictObject({ name: z.string().max(200) });
const languages = ["zh", "en", "ja"] as const;
const busyModes = ["queue", "steer", "interrupt"] as const;
const settings = z.strictObject({
  mode: z.enum(["act", "plan"]).optional(),
  language: z.enum(languages).nullable().optional(),
  model: z.string().max(200).nullable().optional(),
  busy: z.enum(busyModes).optional(),
});
const formats = {
  markdown: { ending: "md", type: "text/markdown; charset=utf-8" },
  json: { ending: "json", type: "application/json; charset=utf-8" },
} as const;

/** The actions of the owner on a conversation. */
export function listSessionRoutes(parts: SessionParts): readonly Route[] {
  const { actions, store } = parts;
  const idOf = (context: ConsoleContext): string => context.req.param("id") ?? "";
  const refuseUnknown = (context: ConsoleContext) => refuse(context, 404, "There is no such conversation.");

  async function showSettings(context: ConsoleContext): Promise<Response> {
    const session = await findSession(store.main, idOf(context));
    if (session === undefined) return refuseUnknown(context);
    const models = actions.listModels();
    const view: SessionSettingsView = {
      mode: readMode(session.mode).kind,
      language: languages.find((one) => one === session.chosen_language) ?? null,
      // One that the owner has removed since does not count any more.
      model: models.find((one) => one === session.model) ?? null,
      models,
      busy: findBusy(session),
      canSteer: actions.canSteer(session.platform),
    };
    return context.json(view);
  }

  return [
    {
      method: "POST",
      path: "/sessions/:id/stop",
      role: "owner",
      async answer(context, login) {
        const end = await actions.stop(idOf(context), login.id);
        return end === "unknown" ? refuseUnknown(context) : context.json({ stopped: end === "stopped" });
      },
    },
    {
      method: "POST",
      path: "/sessions/:id/new",
      role: "owner",
      async answer(context, login) {
        const end = await actions.startOver(idOf(context), login.id);
        return end === "unknown" ? refuseUnknown(context) : context.body(null, 204);
      },
    },
    {
      method: "DELETE",
      path: "/sessions/:id",
      role: "owner",
      async answer(context, login) {
        const [listed] = await findListedSessions(store.main, [idOf(context)]);
        if (listed === undefined) return refuseUnknown(context);
        const given = named.safeParse(await readJson(context));
        const name = (await nameSessions(store.main, [listed])).get(listed.id);
        if (!given.success || given.data.name !== name)
          return refuse(context, 400, "To delete it, give its name as it is shown.");
        switch (await parts.eraseConversation(listed.id, login.id)) {
          case "unknown":
            return refuseUnknown(context);
          case "busy":
            return refuse(context, 409, "She is at work there, or waits for an answer. Stop it first.");
          case "erased":
            return context.body(null, 204);
        }
      },
    },
    {
      method: "GET",
      path: "/sessions/:id/settings",
      role: "owner",
      answer: showSettings,
    },
    {
      method: "PUT",
      path: "/sessions/:id/settings",
      role: "owner",
      async answer(context, login) {
        const given = settings.safeParse(await readJson(context));
        if (!given.success || Object.keys(given.data).length === 0)
          return refuse(context, 400, "One of mode, language, model and busy is none of the choices.");
        const language = findLanguage(context, parts.language());
        const end = await actions.choose(idOf(context), given.data, { login: login.id, language });
        return end.kind === "refused" ? refuse(context, 400, end.text) : showSettings(context);
      },
    },
    {
      method: "GET",
      path: "/sessions/:id/export",
      role: "self",
      async answer(context, login) {
        const name = context.req.query("format") ?? "";
        if (name !== "markdown" && name !== "json") return refuse(context, 400, "The format is markdown or json.");
        const { ending, type } = formats[name];
        const isOwn = isOwnSession(await findOwnRows(store.main, login), idOf(context));
        const written = isOwn ? await parts.writeConversation?.(idOf(context), ending) : undefined;
        if (written === undefined) return refuse(context, 404, "Nothing was said there.");
        return context.body(new Uint8Array(written.content), 200, {
          "Content-Type": type,
          // The name is ours: it has no words of people.
          "Content-Disposition": `attachment; filename="${written.name}"`,
          "X-Content-Type-Options": "nosniff",
        });
      },
    },
  ];
}

const findBusy = ({ busy }: SessionRow): SessionSettingsView["busy"] => busyModes.find((one) => one === busy) ?? null;
