import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import type { Language } from "../../core/conversation.ts";
import type { Store } from "../../store/open-store.ts";
import type { Door } from "../door/door.ts";
import { appendAudit } from "../../store/queries/audit.ts";
import { consoleOwner } from "../../core/own-platforms.ts";
import { showName } from "../../core/persona/show-payload.ts";
import { deleteLogin, findLoginById, listLogins } from "../../store/queries/console-sessions.ts";
import { findNames } from "../../store/queries/people.ts";
import { findOwnRows, isOwnAccount } from "../door/own-rows.ts";
import { readJson, refuse, type Route } from "../door/guard.ts";
import { cameByTls, findClientAddress, forgetCookies, type Sessions } from "../door/sessions.ts";
import type { LoginsView, MeView, RefusedLogin } from "../views/sign-in-views.ts";

export interface SignInParts {
  readonly door: Pick<Door, "enter" | "first">;
  readonly sessions: Pick<Sessions, "open">;
  readonly store: Pick<Store, "main">;
  readonly language: () => Language;
  readonly zone: () => string;
  readonly version: string;
  readonly proxies: () => readonly string[];
  readonly clock: Clock;
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

/** The way in and out, and the browsers that are signed in. */
export function listSignInRoutes(parts: SignInParts): readonly Route[] {
  const { clock, door, sessions, store } = parts;
  const audit = (actor: string, action: string, detail: Readonly<Record<string, string>>) =>
    appendAudit(store.main, { actor, action, detail, now: clock.now() });

  return [
    {
      method: "GET",
      path: "/me",
      role: "none",
      async answer(context, login) {
        const rows = login && (await findOwnRows(store.main, login));
        const me: MeView = {
          authed: login !== undefined,
          ...(login && { person: login.person, role: login.role, version: parts.version }),
          ...(rows?.kind === "own" && { accounts: rows.accounts }),
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
        const opened = await sessions.open(entry.who, context.req.header("user-agent") ?? "", isSecure);
        if (opened === undefined) {
          const refused: RefusedLogin = { code: "expired", message: refusedLogins.expired, wait: 0 };
          return context.json(refused, 401);
        }
        await audit(entry.who.account, "console.signed-in", { login: opened.login.id, by: entry.by });
        for (const cookie of opened.cookies) context.header("Set-Cookie", cookie, { append: true });
        return context.body(null, 204);
      },
    },
    {
      method: "POST",
      path: "/logout",
      role: "self",
      async answer(context, login) {
        await deleteLogin(store.main, login.id);
        await audit(login.person, "console.signed-out", { login: login.id, by: login.id });
        for (const cookie of forgetCookies()) context.header("Set-Cookie", cookie, { append: true });
        return context.body(null, 204);
      },
    },
    {
      method: "GET",
      path: "/logins",
      role: "self",
      async answer(context, login) {
        const rows = await findOwnRows(store.main, login);
        const all = await listLogins(store.main, clock.now());
        const logins = all.filter(({ person }) => isOwnAccount(rows, person));
        const accounts = new Set(logins.map(({ person }) => person).filter((person) => person !== consoleOwner));
        const names = rows.kind === "all" ? await findNames(store.main, [...accounts]) : undefined;
        const view: LoginsView = {
          items: logins.map(({ id, browser, createdAt, person, seenAt }) => ({
            id,
            browser,
            since: createdAt,
            seen: seenAt,
            here: id === login.id,
            ...(names &&
              person !== consoleOwner && {
                person: { name: showName(names.get(person) ?? person), account: showName(person) },
              }),
          })),
        };
        return context.json(view);
      },
    },
    {
      method: "DELETE",
      path: "/logins/:id",
      role: "self",
      async answer(context, login) {
        const id = context.req.param("id") ?? "";
        const rows = await findOwnRows(store.main, login);
        const other = await findLoginById(store.main, id, clock.now());
        const isTheirs = other !== undefined && isOwnAccount(rows, other.person);
        if (!isTheirs || !(await deleteLogin(store.main, id))) return refuse(context, 404, "There is no such sign-in.");
        await audit(login.person, "console.signed-out", { login: id, by: login.id });
        return context.body(null, 204);
      },
    },
  ];
}
