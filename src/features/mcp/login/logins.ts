import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Logger } from "pino";
import type { Clock } from "../../../core/clock.ts";
import type { KnownSecrets } from "../../../core/known-secrets.ts";
import { McpFault } from "../connection/mcp-fault.ts";
import type { McpCredential } from "../connection/types.ts";
import type { HttpTransport, McpServer } from "../servers/types.ts";
import { checkLoginAddress } from "./check-login-address.ts";
import { listLoginSecrets, type LoginFile, type LoginRecord } from "./login-file.ts";
import type { LoginRedirect } from "./read-redirect.ts";
import { joinScopes, listScopes } from "./scopes.ts";

export type LoginAnswer =
  /** The person opens `url` and comes back to `redirectUrl`, or pastes the address they were sent to. */
  | { readonly kind: "open"; readonly url: string; readonly host: string; readonly redirectUrl: string }
  | { readonly kind: "done"; readonly server: string }
  /** `reason` may hold words of the server. */
  | { readonly kind: "refused"; readonly reason: string };

/** Logins at servers of mcp.json, for the owner of this Kurisu: one a server. */
export interface Logins {
  /** The credential of each request; undefined = the configuration has a token for this server. */
  credentialFor(server: McpServer): McpCredential | undefined;
  begin(server: McpServer): Promise<LoginAnswer>;
  /** Compares `redirect.state` if it is there. A login that was begun can be finished once, also unsuccessfully. */
  finish(server: McpServer, redirect: LoginRedirect): Promise<LoginAnswer>;
  /** The server whose login was begun with this state. */
  findByState(state: string): string | undefined;
  /** false = nothing was known. */
  forget(server: string): boolean;
}

/** Milliseconds. */
const mayTake = 600_000;
const renewBefore = 30_000;

export function createLogins(parts: {
  readonly file: LoginFile;
  readonly secrets: Pick<KnownSecrets, "add">;
  /** The redirect address unless mcp.json sets another. */
  readonly redirectUrl: () => string;
  /** A server wants rights that the login does not have, and did not want them before. */
  readonly onWider?: (server: string, scope: string) => void;
  readonly clock: Clock;
  readonly log: Pick<Logger, "info" | "warn">;
}): Logins {
  const { clock, file, log } = parts;
  const renewing = new Map<string, Promise<string | undefined>>();

  /** Also undefined if the record is for another address that had the name before. */
  function find(server: McpServer): LoginRecord | undefined {
    const { transport } = server;
    const record = file.all().get(server.name);
    if (record === undefined || transport.kind !== "http" || record.url !== transport.url) return undefined;
    parts.secrets.add(listLoginSecrets(record));
    return record;
  }

  function save(server: McpServer, record: LoginRecord): void {
    parts.secrets.add(listLoginSecrets(record));
    file.write(server.name, record);
  }

  /** A new token in place of `worn`; undefined = the owner has to log in. */
  function renew(server: McpServer, transport: HttpTransport, worn: string): Promise<string | undefined> {
    const under = renewing.get(server.name) ?? work().finally(() => renewing.delete(server.name));
    renewing.set(server.name, under);
    return under;

    async function work(): Promise<string | undefined> {
      const record = find(server);
      if (record?.login === undefined) return undefined;
      // Another process has renewed it already.
      if (record.login.accessToken !== worn) return record.login.accessToken;
      const { authority, client, refreshToken } = record.login;
      if (refreshToken === undefined) return undefined;
      const { LoginOver, renewAuthorization } = await import("./open-authorization.ts");
      try {
        const { expiresIn, ...tokens } = await renewAuthorization(transport, { authority, client, refreshToken });
        const expiry = expiresIn === undefined ? {} : { expiresAt: clock.now() + expiresIn };
        const fresh = find(server);
        // The owner logged out in the meantime: keep it that way.
        if (fresh?.login?.accessToken !== worn) return fresh?.login?.accessToken;
        save(server, { ...fresh, login: { ...fresh.login, refreshToken, ...tokens, ...expiry } });
        log.info({ server: server.name }, "the login at an MCP server was renewed");
        return tokens.accessToken;
      } catch (error) {
        if (!(error instanceof LoginOver)) {
          const reason = error instanceof Error ? error.message : "";
          throw new McpFault("not-sent", `its login could not be renewed (${reason})`, { cause: error });
        }
        log.warn({ server: server.name }, "the login at an MCP server is over");
        const { login: _, ...rest } = find(server) ?? record;
        save(server, rest);
        return undefined;
      }
    }
  }

  /** Rights that servers named when they refused a request for want of a login. */
  const wanted = new Map<string, { readonly url: string; readonly scope: string }>();

  function widen(server: McpServer, given: string): McpFault {
    const record = find(server);
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
    const wider = joinScopes(record.login.scope, record.wider, given);
    if (wider !== record.wider) {
      save(server, { ...record, wider });
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
          const login = find(server)?.login;
          if (login === undefined) return undefined;
          const { accessToken, expiresAt = Number.POSITIVE_INFINITY } = login;
          return expiresAt - renewBefore > clock.now() ? accessToken : renew(server, transport, accessToken);
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
        const { registration, wider } = find(server) ?? {};
        const named = wanted.get(server.name);
        const scope = named?.url === transport.url ? named.scope : undefined;
        const begun = await beginAuthorization(transport, { state, redirectUrl, registration, wanted: scope, wider });
        const trusted = [new URL(transport.url).origin, ...transport.oauth.origins.map((one) => new URL(one).origin)];
        const checked = checkLoginAddress(begun.address, trusted);
        if (!checked.ok) return { kind: "refused", reason: checked.reason };
        const { login, wider: stillWider } = find(server) ?? {};
        save(server, {
          url: transport.url,
          ...(login && { login }),
          ...(stillWider !== undefined && { wider: stillWider }),
          ...(begun.registration && { registration: begun.registration }),
          pending: { ...begun.pending, begunAt: clock.now() },
        });
        return { kind: "open", url: checked.url, host: checked.host, redirectUrl };
      } catch (error) {
        if (error instanceof LoginRefused) return { kind: "refused", reason: error.message };
        throw error;
      }
    },

    async finish(server, { code, error, issuer, state }) {
      const { transport } = server;
      const record = find(server);
      const { pending, ...rest } = record ?? {};
      if (transport.kind !== "http" || record === undefined || pending === undefined)
        return { kind: "refused", reason: "no login was begun, or it was used already" };
      if (state !== undefined && !isSame(state, pending.state))
        return { kind: "refused", reason: "this belongs to another login; begin again" };
      save(server, { url: record.url, ...rest });
      if (clock.now() - pending.begunAt > mayTake)
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
        save(server, { url: record.url, ...rest, login: { authority, client, ...tokens, ...expiry, ...asked } });
        log.info({ server: server.name }, "logged in at an MCP server");
        return { kind: "done", server: server.name };
      } catch (fault) {
        if (fault instanceof LoginRefused) return { kind: "refused", reason: fault.message };
        throw fault;
      }
    },

    findByState(state) {
      const found = [...file.all()].find(([, { pending }]) => pending && isSame(state, pending.state));
      return found?.[0];
    },

    forget(server) {
      if (!file.all().has(server)) return false;
      file.write(server, undefined);
      return true;
    },
  };
}

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
