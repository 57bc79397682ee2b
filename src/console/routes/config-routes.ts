import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import { consoleOwner } from "../../core/own-platforms.ts";
import { appendAudit } from "../../store/queries/audit.ts";
import type { Store } from "../../store/open-store.ts";
import { readJson, refuse, type Route } from "../door/guard.ts";
import type {
  ConfigCheckView,
  ConfigConflictView,
  ConfigRefusalView,
  ConfigSavedView,
  ConfigView,
} from "../views/config-views.ts";

export type WriteResult =
  | { readonly kind: "written"; readonly keys: readonly string[]; readonly view: ConfigSavedView }
  | ({ readonly kind: "conflict" } & ConfigConflictView)
  | ConfigRefusalView;

/** Reads, checks and writes the files of config/system. */
export interface ConfigEditor {
  /** The files, without .yaml. */
  readonly names: readonly string[];
  list(): ConfigView;
  /** Nothing is written. */
  check(name: string, text: string): ConfigCheckView;
  /** `was` = the hash of the text that was opened. */
  write(name: string, text: string, was: string): WriteResult;
}

export interface ConfigParts {
  readonly configEditor: ConfigEditor;
  readonly store: Pick<Store, "main">;
  readonly clock: Clock;
}

/** Several times the largest file that an owner writes by hand. */
const maxLetters = 200_000;
const maxBody = 1024 * 1024;
const text = z
  .string()
  .max(maxLetters)
  .refine((value) => value.isWellFormed());
const checkRequest = z.strictObject({ file: z.string(), text });
const writeRequest = z.strictObject({ text, was: z.string().max(64) });

/** The files of config/system: read, checked without a trace, and written. */
export function listConfigRoutes({ clock, configEditor, store }: ConfigParts): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/config",
      role: "owner",
      answer: async (context) => context.json(configEditor.list()),
    },
    {
      method: "POST",
      path: "/config/check",
      role: "owner",
      async answer(context) {
        const given = checkRequest.safeParse(await readJson(context, maxBody));
        if (!given.success)
          return refuse(context, 400, `Say file and text; the text has ${maxLetters} letters at most.`);
        if (!configEditor.names.includes(given.data.file)) return refuse(context, 404, "There is no such file.");
        return context.json(configEditor.check(given.data.file, given.data.text));
      },
    },
    {
      method: "PUT",
      path: "/config/:file",
      role: "owner",
      async answer(context, login) {
        const given = writeRequest.safeParse(await readJson(context, maxBody));
        if (!given.success)
          return refuse(context, 400, `Say text and was; the text has ${maxLetters} letters at most.`);
        const file = context.req.param("file") ?? "";
        if (!configEditor.names.includes(file)) return refuse(context, 404, "There is no such file.");
        const end = configEditor.write(file, given.data.text, given.data.was);
        switch (end.kind) {
          case "written": {
            const detail = { file: `${file}.yaml`, keys: end.keys, state: end.view.state, login: login.id };
            await appendAudit(store.main, { actor: consoleOwner, action: "config.changed", detail, now: clock.now() });
            return context.json(end.view);
          }
          case "conflict": {
            const message = "The file has changed since it was opened. Look at both texts.";
            return context.json({ code: "conflict", message, theirs: end.theirs, was: end.was }, 409);
          }
          case "faults":
          case "locked":
          case "secret":
          case "unwritable":
            return context.json({ code: "faulty", message: refusals[end.kind], ...end }, 422);
        }
      },
    },
  ];
}

const refusals = {
  faults: "The configuration would have faults.",
  locked: "These keys change on the machine only.",
  secret: "There is a secret in it. Put it into .env, and write ${NAME} here.",
  unwritable: "The file cannot be written. Let the user that Kurisu runs as write to config/system.",
} as const;
