import { createHmac, randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import type { Clock } from "../../core/clock.ts";
import { createId } from "../../core/ids.ts";
import { consoleOwner } from "../../core/own-platforms.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import type { Store } from "../../store/open-store.ts";
import type { Role } from "../../kernel/gate/types.ts";
import { appendAudit } from "../../store/queries/audit.ts";
import {
  deleteLogin,
  findLogin,
  findLoginById,
  insertLogin,
  listLogins,
  noteLoginUse,
  type ConsoleLogin,
} from "../../store/queries/console-sessions.ts";
import { loginLimits } from "../../store/tables/console-tables.ts";
import type { Entrant } from "./door.ts";

/**
 * Browsers keep a name with this prefix only when the cookie came by TLS, for this host alone. By TLS no other name is read: plain
 * HTTP, which others may write, can set the plain one.
 */
const secureName = "__Host-kurisu_console";
const plainName = "kurisu_console";
/** A page sends many requests; its row is written once in this time. */
const noteEveryMs = 60_000;
const maxBrowser = 200;
/** The browsers of one member's account. */
const maxOfMember = 10;

/** The rights of people who came in by a code from their chat, as they are now. */
export interface Standing {
  /** Whether console.yaml lets them in. */
  readonly areMembersLetIn: () => boolean;
  readonly roleOf: (account: string) => Promise<Role>;
}

/** `person` = who acts; `account` = the account that signed in, `console:owner` only by the code or password of the machine. */
export interface SignedIn extends ConsoleLogin {
  readonly account: string;
}

export interface Sessions {
  /** The login whose cookie the request has, with the rights that its person has now: without any it is ended. */
  read(context: Context, isSecure: boolean): Promise<SignedIn | undefined>;
  /** Whether a login is still open, and its person still has the rights for it. */
  isOpen(login: string): Promise<boolean>;
  /** Signs a person in, and answers the cookies. Undefined when they have lost the right since they got the code. */
  open(
    who: Entrant,
    browser: string,
    isSecure: boolean,
  ): Promise<{ readonly login: ConsoleLogin; readonly cookies: readonly string[] } | undefined>;
}

export function createSessions({
  store,
  clock,
  standing,
  password = "",
}: {
  readonly store: Pick<Store, "main">;
  readonly clock: Clock;
  readonly password: string | undefined;
  readonly standing: Standing;
}): Sessions {
  /** Another password makes other digests, so that it ends every login. */
  const digest = (token: string) => digestToken(token, password);

  async function hasRight({ account, role }: Entrant): Promise<boolean> {
    if (account === consoleOwner) return true;
    if (!standing.areMembersLetIn()) return false;
    const now = await standing.roleOf(account);
    return role === "owner" ? now === "owner" : now !== "guest";
  }

  async function end({ id, person }: ConsoleLogin, by: "role" | "limit"): Promise<void> {
    const isFirst = await deleteLogin(store.main, id);
    const detail = { login: id, person, by };
    if (isFirst)
      await appendAudit(store.main, { actor: "gateway", action: "console.signed-out", detail, now: clock.now() });
  }

  /** Ends the oldest logins of the person over the limit; the new one stays. */
  async function endOldest({ id, person }: ConsoleLogin): Promise<void> {
    const others = (await listLogins(store.main, clock.now())).filter((one) => one.person === person && one.id !== id);
    const byAge = others.toSorted((one, other) => other.createdAt - one.createdAt);
    for (const old of byAge.slice(maxOfMember - 1)) await end(old, "limit");
  }

  const toEntrant = ({ person, role }: ConsoleLogin): Entrant => ({ account: person, role });

  return {
    async read(context, isSecure) {
      const token = getCookie(context, isSecure ? secureName : plainName);
      if (token === undefined || token === "") return undefined;
      const now = clock.now();
      const login = await findLogin(store.main, digest(token), now);
      if (login === undefined) return undefined;
      if (!(await hasRight(toEntrant(login)))) {
        await end(login, "role");
        return undefined;
      }
      if (now - login.seenAt >= noteEveryMs) await noteLoginUse(store.main, login.id, now);
      // An owner who came from a chat acts as the owner does here; the audit names the login, and its sign-in names the account.
      // Only their votes are those of the account: they may have voted in the chat already.
      return { ...login, account: login.person, ...(login.role === "owner" && { person: consoleOwner }) };
    },
    async isOpen(id) {
      const login = await findLoginById(store.main, id, clock.now());
      return login !== undefined && hasRight(toEntrant(login));
    },
    async open(who, browser, isSecure) {
      if (!(await hasRight(who))) return undefined;
      const now = clock.now();
      const token = randomBytes(32).toString("base64url");
      const login: ConsoleLogin = {
        id: createId("login", now),
        person: who.account,
        role: who.role,
        browser: makeVisible(browser).slice(0, maxBrowser),
        createdAt: now,
        seenAt: now,
      };
      await insertLogin(store.main, { ...login, token: digest(token) });
      if (login.role === "member") await endOldest(login);
      return {
        login,
        cookies: [writeCookie(token, isSecure, loginLimits.ageMs / 1000), writeCookie("", !isSecure, 0)],
      };
    },
  };
}

/** Both names: the browser may have got either. */
export const forgetCookies = (): readonly string[] => [writeCookie("", true, 0), writeCookie("", false, 0)];

function writeCookie(value: string, isSecure: boolean, seconds: number): string {
  const name = isSecure ? secureName : plainName;
  return `${name}=${value}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
}

/** Whether the browser's own connection is by TLS, as a proxy says that console.yaml names. */
export function cameByTls({ headers, socket }: IncomingMessage, proxies: readonly string[]): boolean {
  const peer = plainAddress(socket.remoteAddress);
  const [protocol] = String(headers["x-forwarded-proto"] ?? "").split(",");
  return proxies.includes(peer) && protocol?.trim() === "https";
}

/** The browser's address. A proxy that console.yaml names appends it to the header that it received. */
export function findClientAddress({ headers, socket }: IncomingMessage, proxies: readonly string[]): string {
  const told = String(headers["x-forwarded-for"] ?? "").split(",");
  const way = [...told.map((address) => plainAddress(address.trim())), plainAddress(socket.remoteAddress)];
  return way.findLast((address) => address !== "" && !proxies.includes(address)) ?? plainAddress(socket.remoteAddress);
}

const plainAddress = (address = ""): string => address.replace(/^::ffff:/i, "");

export function digestToken(token: string, password: string): string {
  return createHmac("sha256", password).update(token).digest("hex");
}
