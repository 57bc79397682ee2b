import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import type { Clock } from "../core/clock.ts";
import { createId } from "../core/ids.ts";
import { makeVisible } from "../core/persona/show-payload.ts";
import type { Store } from "../store/open-store.ts";
import { findLogin, insertLogin, noteLoginUse, type ConsoleLogin } from "../store/queries/console-sessions.ts";
import { loginLimits } from "../store/tables/console-tables.ts";

/** Browsers keep a name with this prefix only when the cookie came by TLS, for this host alone. */
const secureName = "__Host-kurisu_console";
const plainName = "kurisu_console";
/** A page asks often; its row is written once in this time. */
const noteEveryMs = 60_000;
const maxBrowser = 200;

export interface Sessions {
  /** The login whose cookie the request has. */
  read(context: Context): Promise<ConsoleLogin | undefined>;
  /** Signs the owner in, and answers the cookie. */
  open(browser: string, isSecure: boolean): Promise<{ readonly login: ConsoleLogin; readonly cookie: string }>;
}

export function createSessions({
  store,
  clock,
}: {
  readonly store: Pick<Store, "main">;
  readonly clock: Clock;
}): Sessions {
  return {
    async read(context) {
      const token = getCookie(context, secureName) ?? getCookie(context, plainName);
      if (token === undefined || token === "") return undefined;
      const now = clock.now();
      const login = await findLogin(store.main, digest(token), now);
      if (login && now - login.seenAt >= noteEveryMs) await noteLoginUse(store.main, login.id, now);
      return login;
    },
    async open(browser, isSecure) {
      const now = clock.now();
      const token = randomBytes(32).toString("base64url");
      const login: ConsoleLogin = {
        id: createId("login", now),
        person: "console:owner",
        role: "owner",
        browser: makeVisible(browser).slice(0, maxBrowser),
        createdAt: now,
        seenAt: now,
      };
      await insertLogin(store.main, { ...login, token: digest(token) });
      return { login, cookie: writeCookie(token, isSecure, loginLimits.ageMs / 1000) };
    },
  };
}

/** Both names: the browser may have got either. */
export function forgetCookies(isSecure: boolean): readonly string[] {
  return isSecure ? [writeCookie("", true, 0), writeCookie("", false, 0)] : [writeCookie("", false, 0)];
}

function writeCookie(value: string, isSecure: boolean, seconds: number): string {
  const name = isSecure ? secureName : plainName;
  return `${name}=${value}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
}

/** Whether the browser's own connection is by TLS, as a proxy says that console.yaml names. */
export function cameByTls({ headers, socket }: IncomingMessage, proxies: readonly string[]): boolean {
  const peer = socket.remoteAddress?.replace(/^::ffff:/i, "") ?? "";
  const [protocol] = String(headers["x-forwarded-proto"] ?? "").split(",");
  return proxies.includes(peer) && protocol?.trim() === "https";
}

function digest(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
