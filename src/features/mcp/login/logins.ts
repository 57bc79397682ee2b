import { randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import type { Logger } from "pino";
import { sleep } from "../../../core/abort.ts";
import type { Clock } from "../../../core/clock.ts";
import type { KnownSecrets } from "../../../core/known-secrets.ts";
import { McpFault } from "../connection/mcp-fault.ts";
import type { McpCredential } from "../connection/types.ts";
import type { HttpTransport, McpServer } from "../servers/types.ts";
import { checkLoginAddress } from "./check-login-address.ts";
import { listLoginSecrets, type LoginRecord, type LoginRecords } from "./login-records.ts";
import type { LoginRedirect } from "./read-redirect.ts";
import { joinScopes, listScopes } from "./scopes.ts";

export type LoginAnswer =
  /** The person opens `url` and comes back to `redirectUrl`, or pastes the address they were sent to. */
  | { readonly kind: "open"; readonly url: string; readonly host: string; readonly redirectUrl: string }
  | { readonly kind: "done"; readonly server: string }
  /** `reason` may hold words of the server. */
  | { readonly kind: "refused"; readonly reason: string };

type StoredLogin = NonNullable<LoginRecord["login"]>;

/** Logins at servers of mcp.json, for the owner of this Kurisu: one a server. */
export interface Logins {
  /** The credential of each request; undefined = the configuration has a token for this server. */
  credentialFor(server: McpServer): McpCredential | undefined;
  begin(server: McpServer): Promise<LoginAnswer>;
  /** Compares `redirect.state` if it is there. A login that was begun can be finished once, also unsuccessfully. */
  finish(server: McpServer, redirect: LoginRedirect): Promise<LoginAnswer>;
  /** The server whose login was begun with this state, by whichever process. */
  findByState(state: string): Promise<string | undefined>;
  /** By server, something that is another one after each login. */
  listIds(): Promise<ReadonlyMap<string, string>>;
  /** false = nothing was known. */
  forget(server: string): Promise<boolean>;
}

const loginLimitMs = 600_000;
const renewBeforeMs = 30_000;
/** More than a request for tokens may take. */
const renewingMs = 30_000;
const waitMs = 200;

export function createLogins(parts: {
  readonly records: LoginRecords;
  readonly secrets: Pick<KnownSecrets, "add">;
  /** The redirect address unless mcp.json sets another. */
  readonly redirectUrl: () => string;
  /** A server wants rights that the login does not have, and did not want them before. */
  readonly onWider?: (server: string, scope: string) => void;
  readonly clock: Clock;
  readonly log: Pick<Logger, "info" | "warn">;
}): Logins {
  const { clock, log, records } = parts;
  const renewing = new Map<string, Promise<string | undefined>>();

  async function find(server: McpServer): Promise<LoginRecord | undefined> {
    return learn(narrow(server, await records.find(server.name)));
  }

  function learn(record: LoginRecord | undefined): LoginRecord | undefined {
    if (record) parts.secrets.add(listLoginSecrets(record));
    return record;
  }

  /** A new token in place of `worn`; undefined = the owner has to log in. */
  function renew(server: McpServer, transport: HttpTransport, worn: string): Promise<string | undefined> {
    const under = renewing.get(server.name) ?? work().finally(() => renewing.delete(server.name));
    renewing.set(server.name, under);
    return under;

    /** A refresh token is used once: one process asks, and the others wait for what it gets. */
    async function work(): Promise<string | undefined> {
      const by = randomUUID();
      for (;;) {
        const now = clock.now();
        const { after } = await records.change(server.name, (record) => {
          const { login, renewing: other } = narrow(server, record) ?? {};
          const isDue = login?.accessToken === worn && login.refreshToken !== undefined;
          if (record === undefined || !isDue || (other && other.until > now)) return record;
          return { ...record, renewing: { by, until: now + renewingMs } };
        });
        const record = learn(narrow(server, after));
        // Another process has renewed it already, or the owner has to log in.
        if (record?.login?.accessToken !== worn) return record?.login?.accessToken;
        const { authority, client, refreshToken } = record.login;
        if (refreshToken === undefined) return undefined;
        if (record.renewing?.by === by) return ask({ authority, client, refreshToken }, by);
        await sleep(waitMs);
      }
    }

    async function ask(
      login: Pick<StoredLogin, "authority" | "client"> & { readonly refreshToken: string },
      by: string,
    ): Promise<string | undefined> {
      const { LoginOver, renewAuthorization } = await import("./open-authorization.ts");
      try {
        const { expiresIn, ...tokens } = await renewAuthorization(transport, login);
        const expiry = expiresIn === undefined ? {} : { expiresAt: clock.now() + expiresIn };
        const renewed = await end(by, (before) => ({ ...before, ...tokens, ...expiry }));
        log.info({ server: server.name }, "the login at an MCP server was renewed");
        return renewed;
      } catch (error) {
        if (error instanceof LoginOver) {
          log.warn({ server: server.name }, "the login at an MCP server is over");
          return end(by, () => undefined);
        }
        await end(by, (before) => before);
        const reason = error instanceof Error ? error.message : "";
        throw new McpFault("not-sent", `its login could not be renewed (${reason})`, { cause: error });
      }
    }

    /** Leaves the login alone where the owner logged out in the meantime, or another process has renewed it. */
    async function end(by: string, next: (login: StoredLogin) => StoredLogin | undefined): Promise<string | undefined> {
      const { after } = await records.change(server.name, (record) => {
        if (record?.renewing?.by !== by) return record;
        const { login, renewing: _, ...rest } = record;
        const fresh = login?.accessToken === worn ? next(login) : login;
        return { ...rest, ...(fresh && { login: fresh }) };
      });
      return learn(narrow(server, after))?.login?.accessToken;
    }
  }

  /** Rights that servers named when they refused a request for want of a login. */
  const wanted = new Map<string, { readonly url: string; readonly scope: string }>();

  async function widen(server: McpServer, given: string): Promise<McpFault> {
    const record = await find(server);
    if (record?.login === undefined) return new McpFault("login", "it wants its owner to log in");
    const has = listScopes(record.login.scope);
    const needed = listScopes(given);
    const missing = needed.filter((scope) => !has.includes(scope));
    if (missing.length === 0) {
      // Another login would bring the same rights, so do not ask for one.
      const all = needed.length === 0 ? "" : ` (${needed.join(" ")})`;
      const why = `the login has the rights that it names${all}, and it refuses all the same; the account may not do this there`;
      return new McpFault("refused", why);
    }
    const { before, after } = await records.change(server.name, (stored) => {
      if (!stored || !narrow(server, stored)) return stored;
      const wider = joinScopes(stored.login?.scope, stored.wider, given);
      return wider === stored.wider ? stored : { ...stored, wider };
    });
    if (before !== after) {
      log.warn({ server: server.name, scope: missing }, "an MCP server wants wider rights than the login has");
      parts.onWider?.(server.name, missing.join(" "));
    }
    return new McpFault("rights", `this needs wider rights than the login has (${missing.join(" ")})`);
  }

  return {
    credentialFor(server) {
      const { transport } = server;
      if (transport.kind !== "http") return undefined;
      if (Object.keys(transport.headers).some((name) => name.toLowerCase() === "authorization")) return undefined;
      return {
        async current() {
          const login = (await find(server))?.login;
          if (login === undefined) return undefined;
          const { accessToken, expiresAt = Number.POSITIVE_INFINITY } = login;
          return expiresAt - renewBeforeMs > clock.now() ? accessToken : renew(server, transport, accessToken);
        },
        renew: (worn) => renew(server, transport, worn),
        noteWanted: (scope) => void wanted.set(server.name, { url: transport.url, scope: joinScopes(scope) }),
        widen: (scope) => widen(server, scope),
      };
    },

    async begin(server) {
      const { transport } = server;
      if (transport.kind !== "http") return { kind: "refused", reason: "it is a program on this machine" };
      const state = randomBytes(24).toString("base64url");
      const redirectUrl = transport.oauth.redirectUrl ?? parts.redirectUrl();
      const { beginAuthorization } = await import("./open-authorization.ts");
      const { LoginRefused } = await import("./login-fetch.ts");
      try {
        const { registration, wider } = (await find(server)) ?? {};
        const named = wanted.get(server.name);
        const scope = named?.url === transport.url ? named.scope : undefined;
        const begun = await beginAuthorization(transport, { state, redirectUrl, registration, wanted: scope, wider });
        const trusted = [new URL(transport.url).origin, ...transport.oauth.origins.map((one) => new URL(one).origin)];
        const checked = checkLoginAddress(begun.address, trusted);
        if (!checked.ok) return { kind: "refused", reason: checked.reason };
        const { after } = await records.change(server.name, (stored) => ({
          ...narrow(server, stored),
          url: transport.url,
          ...(begun.registration && { registration: begun.registration }),
          pending: { ...begun.pending, begunAt: clock.now() },
        }));
        learn(after);
        return { kind: "open", url: checked.url, host: checked.host, redirectUrl };
      } catch (error) {
        if (error instanceof LoginRefused) return { kind: "refused", reason: error.message };
        throw error;
      }
    },

    async finish(server, { code, error, issuer, state }) {
      const { transport } = server;
      const { before, after } = await records.change(server.name, (stored) => {
        const { pending: begun, ...rest } = narrow(server, stored) ?? {};
        if (stored === undefined || begun === undefined) return stored;
        return state !== undefined && !isSame(state, begun.state) ? stored : { ...rest, url: stored.url };
      });
      const pending = narrow(server, before)?.pending;
      if (transport.kind !== "http" || pending === undefined)
        return { kind: "refused", reason: "no login was begun, or it was used already" };
      if (after?.pending !== undefined)
        return { kind: "refused", reason: "this belongs to another login; begin again" };
      if (clock.now() - pending.begunAt > loginLimitMs)
        return { kind: "refused", reason: "it took more than ten minutes; begin again" };
      if (error !== undefined) return { kind: "refused", reason: `it answered ${error}` };
      // RFC 9207: the code of one server must not be taken to another.
      const { authority } = pending;
      const named = authority.metadata?.issuer ?? authority.issuer;
      const mustSay =
        authority.metadata?.authorization_response_iss_parameter_supported === true && state !== undefined;
      if ((issuer !== undefined || mustSay) && issuer !== named)
        return { kind: "refused", reason: "another server answered than the one that was asked" };
      if (code === undefined || code === "" || code.length > 4_000)
        return { kind: "refused", reason: "there is no code in it" };
      parts.secrets.add([code]);
      const { finishAuthorization } = await import("./open-authorization.ts");
      const { LoginRefused } = await import("./login-fetch.ts");
      try {
        const { expiresIn, ...tokens } = await finishAuthorization(transport, pending, code);
        const expiry = expiresIn === undefined ? {} : { expiresAt: clock.now() + expiresIn };
        const { client, scope } = pending;
        const asked = scope === undefined ? {} : { scope };
        const login = { id: randomUUID(), authority, client, ...tokens, ...expiry, ...asked };
        const stored = await records.change(
          server.name,
          (record) => ({ ...narrow(server, record), url: transport.url, login }),
          true,
        );
        learn(stored.after);
        log.info({ server: server.name }, "logged in at an MCP server");
        return { kind: "done", server: server.name };
      } catch (fault) {
        if (fault instanceof LoginRefused) return { kind: "refused", reason: fault.message };
        throw fault;
      }
    },

    async findByState(state) {
      const found = [...(await records.all())].find(([, { pending }]) => pending && isSame(state, pending.state));
      return found?.[0];
    },

    async listIds() {
      const all = [...(await records.all())];
      return new Map(all.flatMap(([server, { login }]) => (login ? [[server, login.id ?? ""]] : [])));
    },

    async forget(server) {
      if ((await records.find(server)) === undefined) return false;
      const { before } = await records.change(server, () => undefined, true);
      return before !== undefined;
    },
  };
}

/** undefined if the record is for another address that had the name before. */
function narrow({ transport }: McpServer, record: LoginRecord | undefined): LoginRecord | undefined {
  return transport.kind === "http" && record?.url === transport.url ? record : undefined;
}

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
