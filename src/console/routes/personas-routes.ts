import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import type { Language } from "../../core/conversation.ts";
import { consoleOwner } from "../../core/own-platforms.ts";
import { appendAudit } from "../../store/queries/audit.ts";
import type { Store } from "../../store/open-store.ts";
import { findListedSessions } from "../../store/queries/session-list.ts";
import { listChosenPersonas } from "../../store/queries/sessions.ts";
import { findLanguage } from "../door/find-language.ts";
import { readJson, refuse, type ConsoleContext, type Route } from "../door/guard.ts";
import { maxName, nameSessions, toLine } from "../names/name-sessions.ts";
import { createPersonaEditor, personaFiles, type PersonaSource } from "../personas/persona-editor.ts";
import type { PersonasView } from "../views/persona-views.ts";

export interface PersonasParts {
  readonly personaSource: PersonaSource;
  readonly store: Pick<Store, "main">;
  readonly language: () => Language;
  readonly clock: Clock;
}

/** More than any file that an owner writes by hand; a longer lorebook is edited on the machine. */
const maxLetters = 500_000;
const maxBody = 8 * 1024 * 1024;
const maxChats = 20;
const text = z
  .string()
  .max(maxLetters)
  .refine((value) => value.isWellFormed());
const file = z.enum(personaFiles);
const checkRequest = z.strictObject({ drafts: z.partialRecord(file, text) });
const writeRequest = z.strictObject({ text, was: z.string().max(64) });
const choiceRequest = z.strictObject({ id: z.string().max(64) });

const cards = {
  png: { type: "image/png" },
  json: { type: "application/json; charset=utf-8" },
} as const;

/** The personas: read, checked without a trace, written, chosen and exported. */
export function listPersonasRoutes({ clock, personaSource, store, ...parts }: PersonasParts): readonly Route[] {
  const editor = createPersonaEditor(personaSource);
  const idOf = (context: ConsoleContext): string => context.req.param("id") ?? "";
  const refuseUnknown = (context: ConsoleContext) => refuse(context, 404, "There is no such persona.");
  const audit = (action: string, detail: Readonly<Record<string, string | boolean>>) =>
    appendAudit(store.main, { actor: consoleOwner, action, detail, now: clock.now() });

  async function list(context: ConsoleContext): Promise<Response> {
    const language = findLanguage(context, parts.language());
    const chosen = Map.groupBy(await listChosenPersonas(store.main), ([, id]) => id);
    const shown = new Map([...chosen].map(([id, rows]) => [id, rows.slice(0, maxChats).map(([session]) => session)]));
    const names = await nameSessions(store.main, await findListedSessions(store.main, [...shown.values()].flat()));
    const view: PersonasView = {
      items: editor.list().map(({ persona, ...row }) => ({
        ...row,
        name: toLine(persona?.name[language] ?? row.id, maxName),
        languages: persona?.languages ?? [],
        chats: (shown.get(row.id) ?? []).map((id) => ({ id, name: names.get(id) ?? toLine(id, maxName) })),
        chatCount: chosen.get(row.id)?.length ?? 0,
      })),
    };
    return context.json(view);
  }

  return [
    { method: "GET", path: "/personas", role: "owner", answer: list },
    {
      method: "GET",
      path: "/personas/:id",
      role: "owner",
      async answer(context) {
        const view = editor.open(idOf(context));
        return view === undefined ? refuseUnknown(context) : context.json(view);
      },
    },
    {
      method: "POST",
      path: "/personas/:id/check",
      role: "owner",
      async answer(context) {
        const given = checkRequest.safeParse(await readJson(context, maxBody));
        if (!given.success)
          return refuse(context, 400, `Say drafts: texts of ${maxLetters} letters at most, by the names of the files.`);
        const view = editor.check(idOf(context), given.data.drafts);
        return view === undefined ? refuseUnknown(context) : context.json(view);
      },
    },
    {
      method: "PUT",
      path: "/personas/:id/:file",
      role: "owner",
      async answer(context, login) {
        const given = writeRequest.safeParse(await readJson(context, maxBody));
        if (!given.success)
          return refuse(context, 400, `Say text and was; the text has ${maxLetters} letters at most.`);
        const name = file.safeParse(context.req.param("file"));
        if (!name.success) return refuse(context, 404, "There is no such file.");
        const id = idOf(context);
        const end = editor.write(id, name.data, given.data.text, given.data.was);
        if (end === undefined) return refuseUnknown(context);
        switch (end.kind) {
          case "written": {
            const { isCopied, state } = end.view;
            await audit("persona.changed", { persona: id, file: name.data, state, isCopied, login: login.id });
            return context.json(end.view);
          }
          case "conflict": {
            const message = "The file has changed since it was opened. Look at both texts.";
            return context.json({ code: "conflict", message, theirs: end.theirs, was: end.was }, 409);
          }
          case "faults":
          case "secret":
          case "unwritable":
            return context.json({ code: "faulty", message: refusals[end.kind], ...end }, 422);
        }
      },
    },
    {
      method: "PUT",
      path: "/persona",
      role: "owner",
      async answer(context, login) {
        const given = choiceRequest.safeParse(await readJson(context));
        if (!given.success) return refuse(context, 400, "Say the id of a persona.");
        const { id } = given.data;
        const problem = editor.chooseUsual(id);
        if (problem === undefined) return refuseUnknown(context);
        if (problem !== "") return context.json({ code: "faulty", message: problem }, 422);
        await audit("persona.chosen", { persona: id, login: login.id });
        return context.body(null, 204);
      },
    },
    {
      method: "GET",
      path: "/personas/:id/export",
      role: "owner",
      async answer(context) {
        const format = context.req.query("as");
        if (format !== "png" && format !== "json") return refuse(context, 400, "Say as=png or as=json.");
        const id = idOf(context);
        const card = await editor.exportCard(id, format);
        if (card === undefined) return refuseUnknown(context);
        if (typeof card === "string") return context.json({ code: "faulty", message: card }, 422);
        return context.body(new Uint8Array(card), 200, {
          "Content-Type": cards[format].type,
          // The id of a persona that was read has letters, digits and hyphens only.
          "Content-Disposition": `attachment; filename="${id}.${format}"`,
          "X-Content-Type-Options": "nosniff",
        });
      },
    },
  ];
}

const refusals = {
  faults: "The persona would have faults.",
  secret: "There is a secret in it. Put it into .env, and write ${NAME} into persona.yaml.",
  unwritable: "The file cannot be written. Let the user that Kurisu runs as write to config/personas.",
} as const;
