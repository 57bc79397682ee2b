import {
  discoverOAuthServerInfo,
  exchangeAuthorization,
  extractWWWAuthenticateParams,
  refreshAuthorization,
  registerClient,
  startAuthorization,
} from "@modelcontextprotocol/sdk/client/auth.js";
import { InvalidGrantError, OAuthError } from "@modelcontextprotocol/sdk/server/auth/errors.js";
import type { AuthorizationServerMetadata, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import { checkResourceAllowed, resourceUrlFromServerUrl } from "@modelcontextprotocol/sdk/shared/auth-utils.js";
import { LATEST_PROTOCOL_VERSION } from "@modelcontextprotocol/sdk/types.js";
import { describeError } from "../../../core/errors.ts";
import type { LoginAuthority, LoginClient, LoginRecord } from "./login-records.ts";
import type { HttpTransport } from "../servers/types.ts";
import { describeClient } from "./describe-client.ts";
import { joinScopes } from "./scopes.ts";
import { createLoginFetch, LoginRefused, type LoginFetch } from "./login-fetch.ts";

/** The three steps of OAuth, by the SDK: MCP specification 2025-11-25, Authorization. */

/** A refresh token that is not taken any more; the person has to log in again. */
export class LoginOver extends Error {
  override readonly name = "LoginOver";
}

type Pending = Omit<NonNullable<LoginRecord["pending"]>, "begunAt">;
type Login = Pick<NonNullable<LoginRecord["login"]>, "accessToken" | "refreshToken"> & {
  /** Milliseconds from now; absent = it does not say. */
  readonly expiresIn?: number;
};

/** Discovers the authorization server, registers where needed, and makes the address to open. Throws LoginRefused. */
export async function beginAuthorization(
  transport: HttpTransport,
  given: {
    readonly state: string;
    readonly redirectUrl: string;
    readonly registration: LoginRecord["registration"];
    /** Rights that an earlier refusal named. */
    readonly wanted: string | undefined;
    /** Rights beyond those that the server names in its challenge. */
    readonly wider: string | undefined;
  },
): Promise<{
  readonly address: URL;
  readonly pending: Pending;
  readonly registration: LoginRecord["registration"];
}> {
  const { state, redirectUrl } = given;
  return within(transport, async ({ fetch }) => {
    const challenge = await readChallenge(transport, fetch);
    const { resourceMetadataUrl } = challenge;
    const found = await discoverOAuthServerInfo(transport.url, {
      ...(resourceMetadataUrl && { resourceMetadataUrl }),
      fetchFn: fetch,
    });
    const { authorizationServerUrl: issuer, authorizationServerMetadata: metadata } = found;
    const resource = found.resourceMetadata?.resource;
    if (resource !== undefined && !isOurs(transport.url, resource))
      throw new LoginRefused("the tokens that the server wants are for another address than its own");
    const usual =
      transport.oauth.scope ?? challenge.scope ?? given.wanted ?? found.resourceMetadata?.scopes_supported?.join(" ");
    const scope = joinScopes(usual, given.wider);

    const known = given.registration;
    const fits = known?.issuer === issuer && known.redirectUrl === redirectUrl;
    const configured = configuredClient(transport, metadata);
    const registration = configured === undefined ? (fits ? known : await register()) : undefined;
    const client = configured ?? registration?.client;
    if (client === undefined) throw new LoginRefused("it gave us no name to log in by");
    const { authorizationUrl, codeVerifier } = await startAuthorization(issuer, {
      ...(metadata && { metadata }),
      clientInformation: client,
      redirectUrl,
      ...(scope !== "" && { scope }),
      state,
      // Word for word: `URL.href` puts a slash behind an origin, and some compare strictly.
      ...(resource !== undefined && { resource }),
    });
    const authority = { issuer, ...(metadata && { metadata }), ...(resource !== undefined && { resource }) };
    return {
      address: authorizationUrl,
      pending: { authority, client, state, scope, verifier: codeVerifier, redirectUrl },
      registration: registration ?? given.registration,
    };

    async function register(): Promise<NonNullable<LoginRecord["registration"]>> {
      if (metadata && metadata.registration_endpoint === undefined)
        throw new LoginRefused(
          "the server takes nobody who is not registered there; register Kurisu and write oauth.clientId into mcp.json",
        );
      const registered = await registerClient(issuer, {
        ...(metadata && { metadata }),
        clientMetadata: describeClient([redirectUrl]),
        ...(scope !== "" && { scope }),
        fetchFn: fetch,
      });
      return { issuer, redirectUrl, client: registered };
    }
  });
}

/** Turns the code into tokens. Throws LoginRefused. */
export async function finishAuthorization(transport: HttpTransport, pending: Pending, code: string): Promise<Login> {
  const { authority, client, redirectUrl, verifier } = pending;
  return within(transport, async ({ fetch }) => {
    const tokens = await exchangeAuthorization(authority.issuer, {
      ...shapeAuthority(authority),
      clientInformation: client,
      authorizationCode: code,
      codeVerifier: verifier,
      redirectUri: redirectUrl,
      fetchFn: fetch,
    });
    return readTokens(tokens);
  });
}

/** Throws LoginOver when the refresh token is not taken, LoginRefused for everything else. */
export async function renewAuthorization(
  transport: HttpTransport,
  { authority, client, refreshToken }: { authority: LoginAuthority; client: LoginClient; refreshToken: string },
): Promise<Login> {
  return within(transport, async ({ fetch }) => {
    try {
      return readTokens(
        await refreshAuthorization(authority.issuer, {
          ...shapeAuthority(authority),
          clientInformation: client,
          refreshToken,
          fetchFn: fetch,
        }),
      );
    } catch (error) {
      if (error instanceof InvalidGrantError) throw new LoginOver("the login is over", { cause: error });
      throw error;
    }
  });
}

/** Turns every fault into a refusal in words. A refusal of the guard comes first. */
async function within<T>(transport: HttpTransport, work: (fetch: LoginFetch) => Promise<T>): Promise<T> {
  const guarded = createLoginFetch(new URL(transport.url), transport.oauth.origins);
  try {
    const result = await work(guarded);
    const refusal = guarded.refusal();
    if (refusal) throw refusal;
    return result;
  } catch (error) {
    if (error instanceof LoginRefused || error instanceof LoginOver) throw guarded.refusal() ?? error;
    throw guarded.refusal() ?? new LoginRefused(describeFault(error), { cause: error });
  }
}

/** Only the standard's error code is passed on: the server's other words may repeat our secrets. */
function describeFault(error: unknown): string {
  if (error instanceof OAuthError) return `it answered ${error.errorCode}`;
  if (error instanceof TypeError && error.cause !== undefined) return describeError(error.cause);
  return describeError(error).replaceAll(/\s+/g, " ").slice(0, 200);
}

const hello = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: LATEST_PROTOCOL_VERSION,
    capabilities: {},
    clientInfo: { name: "kurisu", version: "1" },
  },
});

/** Asks the server without a token: its refusal says where its metadata is. */
async function readChallenge(transport: HttpTransport, ask: LoginFetch["fetch"]) {
  const sse = transport.mode === "sse";
  const response = await ask(transport.url, {
    method: sse ? "GET" : "POST",
    headers: {
      ...transport.headers,
      accept: "application/json, text/event-stream",
      ...(!sse && { "content-type": "application/json" }),
    },
    ...(!sse && { body: hello }),
  });
  return extractWWWAuthenticateParams(response);
}

function isOurs(server: string, resource: string): boolean {
  return (
    URL.canParse(resource) &&
    checkResourceAllowed({ requestedResource: resourceUrlFromServerUrl(server), configuredResource: resource })
  );
}

/** Our client id from mcp.json: registered by hand, or the address of our document (SEP-991). */
function configuredClient(
  { oauth }: HttpTransport,
  metadata: AuthorizationServerMetadata | undefined,
): LoginClient | undefined {
  const { clientId, clientMetadataUrl, clientSecret } = oauth;
  if (clientId !== undefined)
    return { client_id: clientId, ...(clientSecret !== undefined && { client_secret: clientSecret }) };
  if (clientMetadataUrl === undefined || metadata?.client_id_metadata_document_supported !== true) return undefined;
  return { client_id: clientMetadataUrl };
}

function shapeAuthority({ metadata, resource }: LoginAuthority) {
  return {
    // The SDK has read and checked it before it was stored.
    ...(metadata && { metadata: metadata as unknown as AuthorizationServerMetadata }),
    ...(resource !== undefined && { resource }),
  };
}

function readTokens({ access_token, refresh_token, expires_in, token_type }: OAuthTokens): Login {
  if (token_type.toLowerCase() !== "bearer") throw new LoginRefused("its tokens are of a kind we do not know");
  return {
    accessToken: access_token,
    ...(refresh_token !== undefined && { refreshToken: refresh_token }),
    ...(expires_in !== undefined && { expiresIn: expires_in * 1000 }),
  };
}
