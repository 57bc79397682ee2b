import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Configuration } from "../config.ts";
import type { ConsoleDoor } from "../cli/types.ts";
import type { ConsoleParts, WebConsole } from "../console/create-console.ts";
import { AppError } from "../core/errors.ts";
import { projectFolder } from "../core/project-folder.ts";
import { isLoopbackHost } from "../kernel/http/is-loopback-host.ts";
import type { HttpServer } from "../kernel/http/http-server.ts";
import type { AnswerRequest } from "../kernel/socket/answer-request.ts";

/** Mounts the web console, which is loaded by the first request or code. */
export function assembleConsole(
  now: () => Configuration,
  {
    http,
    ...parts
  }: Omit<ConsoleParts, "password" | "hosts" | "proxies" | "page" | "version"> & { readonly http: HttpServer },
): {
  readonly door: ConsoleDoor;
  readonly requests: Readonly<Record<string, AnswerRequest>>;
  /** Told when the server listens. */
  opened(): void;
} {
  const { console: first, http: place } = now();
  let loading: Promise<WebConsole> | undefined;
  let isOpen = false;
  const load = (): Promise<WebConsole> => (loading ??= open());
  async function open(): Promise<WebConsole> {
    const [{ createConsole }, { findPageFiles }] = await Promise.all([
      import("../console/create-console.ts"),
      import("../console/page-files.ts"),
    ]);
    return createConsole({
      ...parts,
      password: first.password,
      hosts: () => first.hosts,
      proxies: () => now().console.proxies,
      page: findPageFiles(),
      version: readVersion(),
    });
  }

  for (const path of ["/console", "/console/*", "/api/*"])
    http.app.all(path, async (context) => (await load()).fetch(context.req.raw, context.env));

  const door: ConsoleDoor = {
    hasPassword: first.password !== undefined,
    address: () => {
      const isAny = ["0.0.0.0", "::", "[::]"].includes(place.host) || isLoopbackHost(place.host);
      return `http://${isAny ? "127.0.0.1" : place.host}:${http.port()}/console/`;
    },
    async makeCode() {
      if (!isOpen) throw new AppError("USAGE", "The Kurisu that runs here has no HTTP server, so there is no console.");
      return (await load()).makeCode();
    },
  };
  return {
    door,
    requests: {
      "console-code": async () => JSON.stringify({ address: door.address(), ...(await door.makeCode()) }),
    },
    opened: () => void (isOpen = true),
  };
}

function readVersion(): string {
  const { version } = JSON.parse(readFileSync(join(projectFolder, "package.json"), "utf8")) as { version: string };
  return version;
}
