import type { HttpBindings } from "@hono/node-server";
import { Hono, type Context } from "hono";
import { readBody } from "../../channels/read-body.ts";
import { parseJson } from "../../core/parse-json.ts";
import { isOwnName } from "../../kernel/http/is-own-name.ts";
import { simplifyHost } from "../../kernel/http/simplify-host.ts";
import { cameByTls, type Sessions, type SignedIn } from "./sessions.ts";

export type ConsoleContext = Context<{ Bindings: HttpBindings }>;

/** none = without signing in; owner = the owner; self = the owner, or the person whose rows they are. */
type Access = {
  /** The body is a file, not JSON. */
  readonly takes?: "bytes";
} & (
  | {
      readonly role: "none";
      readonly answer: (context: ConsoleContext, login: SignedIn | undefined) => Promise<Response>;
    }
  | {
      readonly role: "owner" | "self";
      readonly answer: (context: ConsoleContext, login: SignedIn) => Promise<Response>;
    }
);

export type Route = Access & {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below /api. */
  readonly path: `/${string}`;
};

export interface GuardParts {
  readonly sessions: Pick<Sessions, "read">;
  /** Names besides those of this machine. */
  readonly hosts: () => readonly string[];
  readonly proxies: () => readonly string[];
}

const maxBody = 64 * 1024;

/** Undefined when it is no JSON. */
export async function readJson({ req }: ConsoleContext, limit = maxBody): Promise<unknown> {
  const read = await readBody(req.raw, limit);
  return read.kind === "read" ? parseJson(read.body.toString()) : undefined;
}

/** Paths without a row are refused like those for the owner, so that strangers do not learn which paths exist. */
const noRoute: Access = {
  role: "owner",
  answer: async (context) => refuse(context, 404, "There is nothing here."),
};

/** The rows of the table are the only routes below /api, and each is behind this one check. */
export function mountRoutes(routes: readonly Route[], parts: GuardParts): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>().basePath("/api");
  app.use(async (context, next) => {
    context.header("Cache-Control", "no-store");
    return next();
  });
  for (const route of routes) app.on(route.method, route.path, (context) => admit(context, route));
  app.all("*", (context) => admit(context, noRoute));
  return app;

  async function admit(context: ConsoleContext, route: Access): Promise<Response> {
    const host = context.req.header("host") ?? "";
    if (!isConsoleHost(host, parts.hosts())) return refuse(context, 403, foreignHost(host));
    const isSecure = cameByTls(context.env.incoming, parts.proxies());
    const fault = findForeignSign(context, route.takes, host, isSecure);
    if (fault !== undefined) return refuse(context, 403, fault);
    const login = await parts.sessions.read(context, isSecure);
    if (route.role === "none") return route.answer(context, login);
    if (login === undefined) return refuse(context, 401, "Sign in first.");
    if (route.role === "owner" && login.role !== "owner") return refuse(context, 403, "Only the owner may do that.");
    return route.answer(context, login);
  }
}

export const foreignHost = (host: string): string =>
  `The console does not answer to the name ${JSON.stringify(host)}. Use localhost, or list the name with its port as hosts in console.yaml.`;

/** This machine by any port, which a container's host or a tunnel may have changed; or a name of console.yaml. */
export function isConsoleHost(host: string, hosts: readonly string[]): boolean {
  return isOwnName(host, "any") || hosts.some((one) => simplifyHost(one) === simplifyHost(host));
}

/** A sign that another site's page sent the request, or may have. */
function findForeignSign(
  context: ConsoleContext,
  takes: Access["takes"],
  host: string,
  isSecure: boolean,
): string | undefined {
  const isRead = context.req.method === "GET" || context.req.method === "HEAD";
  const origin = context.req.header("origin");
  if (origin === undefined ? !isRead : !isOrigin(origin, host, isSecure)) return "The request comes from another page.";
  const site = context.req.header("sec-fetch-site");
  if (site !== undefined && site !== "same-origin" && !(isRead && site === "none"))
    return "The request comes from another page.";
  if (isRead) return undefined;
  // A page of another site cannot send either without asking us first.
  const type = context.req.header("content-type")?.split(";")[0]?.trim().toLowerCase();
  const wanted = takes === "bytes" ? "application/octet-stream" : "application/json";
  if (type !== wanted) return takes === "bytes" ? "The request is not a file." : "The request is not JSON.";
  return context.req.header("x-kurisu") === "1" ? undefined : "The header X-Kurisu is missing.";
}

function isOrigin(origin: string, host: string, isSecure: boolean): boolean {
  const url = URL.parse(origin);
  if (url === null || url.origin !== origin) return false;
  if (url.protocol !== "https:" && (isSecure || url.protocol !== "http:")) return false;
  return simplifyHost(url.host) === simplifyHost(host);
}

export function refuse(context: Context, status: keyof typeof refusals, message: string): Response {
  return context.json({ code: refusals[status], message }, status);
}

const refusals = {
  400: "invalid",
  401: "signed-out",
  403: "forbidden",
  404: "not-found",
  409: "conflict",
  413: "too-large",
  423: "paused",
  503: "busy",
} as const;
