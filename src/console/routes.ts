import type { Logger } from "pino";
import { z } from "zod";
import type { Clock } from "../core/clock.ts";
import { makeVisible } from "../core/persona/show-payload.ts";
import type { Readiness } from "../kernel/http/mount-readiness.ts";
import type { Store } from "../store/open-store.ts";
import { appendAudit } from "../store/queries/audit.ts";
import { deleteLogin, listLogins } from "../store/queries/console-sessions.ts";
import { findPause } from "../store/queries/pause.ts";
import type { Door } from "./door.ts";
import { readJson, refuse, type Route } from "./guard.ts";
import { cameByTls, findClientAddress, forgetCookies, type Sessions } from "./sessions.ts";
import type { LoginsView, MeView, RefusedLogin, TodayView } from "./views.ts";

export interface RouteParts {
  readonly door: Pick<Door, "enter" | "first">;
  readonly sessions: Pick<Sessions, "open">;
  readonly readiness: () => Promise<Readonly<Record<string, Readiness>>>;
  readonly store: Pick<Store, "main">;
  readonly language: () => string;
  readonly zone: () => string;
  readonly version: string;
  readonly proxies: () => readonly string[];
  readonly clock: Clock;
  readonly log: Logger;
}

const attempt = z.union([
  z.strictObject({ code: z.string().min(1).max(100) }),
  z.strictObject({ password: z.string().min(1).max(1000) }),
]);

const refusedLogins = {
  wrong: "That is not it.",
  expired: "There is no such code any more.",
  wait: "Too many attempts. Wait a moment.",
} as const;

/** Every route below /api. */
export function listRoutes(parts: RouteParts): readonly Route[] {
  const { clock, door, sessions, store } = parts;
  const audit = (action: string, detail: Readonly<Record<string, string>>) =>
    appendAudit(store.main, { actor: "console:owner", action, detail, now: clock.now() });

  return [
    {
      method: "GET",
      path: "/me",
      role: "none",
      async answer(context, login) {
        const me: MeView = {
          authed: login !== undefined,
          ...(login && { person: login.person, role: login.role, version: parts.version }),
          door: door.first,
          language: parts.language(),
          zone: parts.zone(),
        };
        return context.json(me);
      },
    },
    {
      method: "POST",
      path: "/login",
      role: "none",
      async answer(context) {
        const given = attempt.safeParse(await readJson(context));
        if (!given.success) return refuse(context, 400, "A code or a password is needed.");
        const { incoming } = context.env;
        const { signal } = context.req.raw;
        const entry = await door.enter(given.data, { address: findClientAddress(incoming, parts.proxies()), signal });
        if (entry.kind !== "open") {
          const refused: RefusedLogin = {
            code: entry.kind,
            message: refusedLogins[entry.kind],
            wait: Math.ceil(entry.waitMs),
          };
          return context.json(refused, 401);
        }
        if (signal.aborted) return refuse(context, 400, "The browser did not wait for the answer.");
        const isSecure = cameByTls(incoming, parts.proxies());
        const { login, cookies } = await sessions.open(context.req.header("user-agent") ?? "", isSecure);
        await audit("console.signed-in", { login: login.id, by: entry.by });
        for (const cookie of cookies) context.header("Set-Cookie", cookie, { append: true });
        return context.body(null, 204);
      },
    },
    {
      method: "POST",
      path: "/logout",
      role: "self",
      async answer(context, login) {
        await deleteLogin(store.main, login.id);
        await audit("console.signed-out", { login: login.id, by: login.id });
        for (const cookie of forgetCookies()) context.header("Set-Cookie", cookie, { append: true });
        return context.body(null, 204);
      },
    },
    {
      method: "GET",
      path: "/logins",
      role: "owner",
      async answer(context, login) {
        const logins = await listLogins(store.main, clock.now());
        const view: LoginsView = {
          items: logins.map(({ id, browser, createdAt, seenAt }) => ({
            id,
            browser,
            since: createdAt,
            seen: seenAt,
            here: id === login.id,
          })),
        };
        return context.json(view);
      },
    },
    {
      method: "DELETE",
      path: "/logins/:id",
      role: "owner",
      async answer(context, login) {
        const id = context.req.param("id") ?? "";
        if (!(await deleteLogin(store.main, id))) return refuse(context, 404, "There is no such sign-in.");
        await audit("console.signed-out", { login: id, by: login.id });
        return context.body(null, 204);
      },
    },
    {
      method: "GET",
      path: "/today",
      role: "owner",
      async answer(context) {
        const [ready, pause] = await Promise.all([parts.readiness(), findPause(store.main)]);
        const view: TodayView = {
          now: clock.now(),
          well: { state: judgeState(ready, pause !== undefined), parts: listParts(ready) },
          ...(pause && { pause: { since: pause.since, name: makeVisible(pause.name) } }),
        };
        return context.json(view);
      },
    },
  ];
}

function judgeState(ready: Readonly<Record<string, Readiness>>, isPaused: boolean): TodayView["well"]["state"] {
  if (isPaused) return "paused";
  if (ready["model"]?.state === "failed") return "model";
  return Object.values(ready).some(({ state }) => state === "failed" || state === "degraded") ? "watch" : "well";
}

/** The pause is told by itself. */
function listParts(ready: Readonly<Record<string, Readiness>>): TodayView["well"]["parts"] {
  return Object.entries(ready)
    .filter(([name]) => name !== "work")
    .map(([name, { state, since, detail }]) => ({ name, state, since, detail: makeVisible(detail) }));
}
