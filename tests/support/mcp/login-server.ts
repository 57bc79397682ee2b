import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { startSite } from "../web-server.ts";

export interface LoginServerTraits {
  /** Over what the server's metadata would say; undefined takes a key out. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly resourceMetadata?: Readonly<Record<string, unknown>>;
  /** Of this client only: nobody is registered. */
  readonly client?: { readonly id: string; readonly secret: string };
  readonly expiresIn?: number;
  /** Whoever begins a session is let in; only the list of tools needs a token. */
  readonly opensForHello?: boolean;
  /** Answers calls of this account with 403, whatever its rights. */
  readonly forbidsCalls?: boolean;
  /** What a token must have been asked for before tools may be called; absent = any may. `never` = even that is refused. */
  readonly callScope?: { readonly name: string; readonly never?: boolean };
}

export interface LoginServer {
  readonly url: string;
  readonly origin: string;
  /** Paths that were asked, in order, with their method. */
  readonly asked: readonly string[];
  /** What tools/call was called with. */
  readonly calls: readonly unknown[];
  /** All tokens that were ever given out. */
  readonly tokens: readonly string[];
  /** As a browser that logs in: where it is sent back to. */
  visit(address: string): Promise<string>;
  /** No access token is good any more; with `refresh`, no refresh token either. */
  revoke(what: "access" | "all"): void;
}

/** An MCP server that lets nobody in without a token, and the OAuth 2.1 server it belongs to. Strict on purpose. */
export async function startLoginServer(traits: LoginServerTraits = {}): Promise<LoginServer> {
  const asked: string[] = [];
  const calls: unknown[] = [];
  const tokens: string[] = [];
  const [access, refresh] = [new Set<string>(), new Set<string>()];
  /** What the newest login was asked for. */
  let granted: readonly string[] = [];
  const clients = new Map<string, { readonly redirects?: readonly string[]; readonly secret?: string }>();
  if (traits.client) clients.set(traits.client.id, { secret: traits.client.secret });
  const codes = new Map<string, { readonly challenge: string; readonly client: string; readonly redirect: string }>();

  const site = await startSite((request, response) => void answer(request, response));
  const { origin } = site;
  const resource = `${origin}/mcp`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", origin);
    asked.push(`${request.method} ${url.pathname}`);
    const body = await text(request);
    const json = (status: number, value: unknown, headers: Record<string, string> = {}) =>
      void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));
    const wrong = (error: string, status = 400) => json(status, { error, error_description: `told: ${body}` });

    switch (url.pathname) {
      case "/.well-known/oauth-protected-resource/mcp":
        return json(200, { resource, authorization_servers: [origin], ...traits.resourceMetadata });
      case "/.well-known/oauth-authorization-server":
        return json(200, {
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          ...(!traits.client && { registration_endpoint: `${origin}/register` }),
          response_types_supported: ["code"],
          code_challenge_methods_supported: ["S256"],
          ...traits.metadata,
        });
      case "/register": {
        const given = JSON.parse(body) as { readonly redirect_uris: readonly string[] };
        const id = `client-${clients.size}`;
        clients.set(id, { redirects: given.redirect_uris });
        return json(201, { ...given, client_id: id });
      }
      case "/authorize": {
        const get = (name: string) => url.searchParams.get(name) ?? "";
        const client = clients.get(get("client_id"));
        const redirect = get("redirect_uri");
        const fits = client && (client.redirects?.includes(redirect) ?? true);
        if (!fits || get("code_challenge_method") !== "S256" || get("resource") !== resource)
          return wrong("invalid_request");
        const code = `code-${randomBytes(12).toString("hex")}`;
        granted = get("scope").split(" ");
        codes.set(code, { challenge: get("code_challenge"), client: get("client_id"), redirect });
        const back = new URL(redirect);
        back.searchParams.set("code", code);
        back.searchParams.set("state", get("state"));
        back.searchParams.set("iss", origin);
        return void response.writeHead(302, { location: back.href }).end();
      }
      case "/token":
        return giveTokens(new URLSearchParams(body), request, { json, wrong });
      case "/mcp": {
        const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
        const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
        const isHello = /"(?:initialize|notifications\/initialized)"/.test(body);
        if (!access.has(token) && !(traits.opensForHello && isHello))
          return json(
            401,
            { error: "invalid_token" },
            { "www-authenticate": `Bearer resource_metadata="${metadata}", scope="read write"` },
          );
        const { callScope, forbidsCalls } = traits;
        if (forbidsCalls && body.includes("tools/call")) return json(403, { error: "ask the owner of the board" });
        if (callScope && body.includes("tools/call") && (callScope.never || !granted.includes(callScope.name))) {
          const challenge = `Bearer error="insufficient_scope", scope="${callScope.name}", resource_metadata="${metadata}"`;
          return json(403, { error: "insufficient_scope" }, { "www-authenticate": challenge });
        }
        return speak(request, body, response, json);
      }
      default:
        return json(404, {});
    }
  }

  function giveTokens(
    given: URLSearchParams,
    request: IncomingMessage,
    { json, wrong }: { json(status: number, value: unknown): void; wrong(error: string, status?: number): void },
  ): void {
    const [, basic = ""] = /^Basic (.+)$/.exec(request.headers.authorization ?? "") ?? [];
    const [basicId, basicSecret] = Buffer.from(basic, "base64").toString().split(":");
    const id = given.get("client_id") ?? basicId ?? "";
    const client = clients.get(id);
    if (!client || client.secret !== (given.get("client_secret") ?? basicSecret)) return wrong("invalid_client", 401);
    if (given.get("resource") !== resource) return wrong("invalid_target");
    if (given.get("grant_type") === "authorization_code") {
      const code = codes.get(given.get("code") ?? "");
      codes.delete(given.get("code") ?? "");
      const digest = createHash("sha256")
        .update(given.get("code_verifier") ?? "")
        .digest("base64url");
      const fits = code?.challenge === digest && code.client === id && code.redirect === given.get("redirect_uri");
      if (!fits) return wrong("invalid_grant");
    } else {
      // Used once, as OAuth 2.1 has it for public clients.
      const fits = refresh.delete(given.get("refresh_token") ?? "");
      if (!fits) return wrong("invalid_grant");
    }
    const [one, two] = [`access-${randomBytes(16).toString("hex")}`, `refresh-${randomBytes(16).toString("hex")}`];
    access.clear();
    access.add(one);
    refresh.add(two);
    tokens.push(one, two);
    const expires = traits.expiresIn === undefined ? {} : { expires_in: traits.expiresIn };
    return json(200, { access_token: one, refresh_token: two, token_type: "Bearer", ...expires });
  }

  function speak(
    request: IncomingMessage,
    body: string,
    response: ServerResponse,
    json: (status: number, value: unknown) => void,
  ): void {
    if (request.method !== "POST") return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(body) as {
      readonly id?: number;
      readonly method: string;
      readonly params?: { readonly protocolVersion?: string; readonly arguments?: unknown };
    };
    const result = (value: unknown) => json(200, { jsonrpc: "2.0", id, result: value });
    switch (method) {
      case "initialize":
        return result({
          protocolVersion: params?.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: "locked", version: "1" },
        });
      case "tools/list":
        return result({ tools: [{ name: "look", description: "Looks.", inputSchema: { type: "object" } }] });
      case "tools/call":
        calls.push(params?.arguments);
        return result({ content: [{ type: "text", text: "what is inside" }] });
      case "ping":
        return result({});
      default:
        return void response.writeHead(202).end();
    }
  }

  return {
    url: resource,
    origin,
    asked,
    calls,
    tokens,
    async visit(address) {
      const back = await fetch(address, { redirect: "manual" });
      await back.body?.cancel();
      return back.headers.get("location") ?? `no redirect: ${back.status}`;
    },
    revoke(what) {
      access.clear();
      if (what === "all") refresh.clear();
    },
  };
}
