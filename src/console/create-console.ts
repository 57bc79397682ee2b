import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import type { Logger } from "pino";
import { getCookie } from "hono/cookie";
import type { Language } from "../core/conversation.ts";
import type { Door } from "./door/door.ts";
import { describeNotBuilt, documentHeaders, themes, writeDocument, type Theme } from "./document.ts";
import { findLanguage } from "./door/find-language.ts";
import { foreignHost, isConsoleHost, mountRoutes, type ConsoleContext } from "./door/guard.ts";
import type { PageFiles } from "./page-files.ts";
import { listRoutes, type RouteParts } from "./routes/routes.ts";
import { createSessions, type Standing } from "./door/sessions.ts";

export interface ConsoleParts extends Omit<RouteParts, "door" | "sessions" | "language"> {
  readonly door: Pick<Door, "enter" | "first">;
  readonly password: string | undefined;
  readonly standing: Standing;
  readonly hosts: () => readonly string[];
  readonly language: () => Language;
  readonly page: PageFiles | undefined;
  readonly log: Logger;
}

const yearSeconds = 31_536_000;

/** The web console: the page, and the routes that it calls, below /console and /api. */
export function createConsole(parts: ConsoleParts): Hono<{ Bindings: HttpBindings }> {
  const { hosts, language, page } = parts;
  const sessions = createSessions(parts);
  const app = new Hono<{ Bindings: HttpBindings }>();

  app.get("/console", (context) => context.redirect("/console/", 308));
  app.get("/console/assets/:name", async (context) => {
    const file = await page?.read(context.req.param("name"), context.req.header("accept-encoding") ?? "");
    if (file === undefined) return context.notFound();
    return context.body(file.body, 200, {
      "Content-Type": file.type,
      "Cache-Control": `public, max-age=${yearSeconds}, immutable`,
      "X-Content-Type-Options": "nosniff",
      Vary: "Accept-Encoding",
      ...(file.encoding && { "Content-Encoding": file.encoding }),
    });
  });
  app.get("/console/*", (context) => showDocument(context));
  app.route("/", mountRoutes(listRoutes({ ...parts, sessions }), { ...parts, sessions }));

  function showDocument(context: ConsoleContext): Response {
    const host = context.req.header("host") ?? "";
    if (!isConsoleHost(host, hosts())) return context.text(foreignHost(host), 403);
    const chosen = findLanguage(context, language());
    if (page === undefined) return context.text(describeNotBuilt(chosen), 503);
    const theme: Theme = themes.find((one) => one === getCookie(context, "kurisu_theme")) ?? "auto";
    return context.body(writeDocument(page.list, chosen, theme), 200, documentHeaders);
  }

  return app;
}
