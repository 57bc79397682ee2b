import type { Configuration } from "../config.ts";
import type { LiveConfiguration } from "../config/live-configuration.ts";
import type { ConsoleDoor } from "../cli/types.ts";
import type { ConsoleParts } from "../console/create-console.ts";
import { AppError } from "../core/errors.ts";
import type { KnownSecrets } from "../core/known-secrets.ts";
import { readProgramVersion } from "../core/program-version.ts";
import { appendAudit } from "../store/queries/audit.ts";
import type { ConsoleDoorPort } from "../kernel/feature/console-hooks.ts";
import { isLoopbackHost } from "../kernel/http/is-loopback-host.ts";
import type { HttpServer } from "../kernel/http/http-server.ts";
import type { AnswerRequest } from "../kernel/socket/answer-request.ts";

/** Mounts the web console. Its door is loaded by the first code, the rest by the first request. */
export function assembleConsole(
  now: () => Configuration,
  {
    http,
    live,
    secrets,
    ...parts
  }: Omit<
    ConsoleParts,
    | "door"
    | "password"
    | "hosts"
    | "onStop"
    | "proxies"
    | "page"
    | "version"
    | "budget"
    | "configEditor"
    | "personaSource"
  > & {
    readonly http: HttpServer;
    readonly live: LiveConfiguration;
    readonly secrets: Pick<KnownSecrets, "scrub">;
  },
): {
  readonly door: ConsoleDoor;
  readonly requests: Readonly<Record<string, AnswerRequest>>;
  /** Told when the server listens. */
  opened(): void;
  readonly makeCodeFor: ConsoleDoorPort["makeCode"];
} {
  const { console: first, http: place } = now();
  let isOpen = false;
  const openDoor = keepMade(async () => {
    const { createDoor } = await import("../console/door/door.ts");
    return createDoor({ ...parts, password: first.password });
  });
  const openPage = keepMade(async () => {
    const [{ createConsole }, { createConfigEditor }, { findPageFiles }, opened] = await Promise.all([
      import("../console/create-console.ts"),
      import("../config/edit-configuration.ts"),
      import("../console/page-files.ts"),
      openDoor(),
    ]);
    return createConsole({
      ...parts,
      door: opened,
      password: first.password,
      hosts: () => first.hosts,
      onStop: http.onStop,
      proxies: () => now().console.proxies,
      budget: () => now().models.budget,
      configEditor: createConfigEditor({ live, waitingKeys: parts.waitingKeys, scrub: secrets.scrub }),
      personaSource: { ...live, scrub: secrets.scrub },
      page: findPageFiles(),
      version: readProgramVersion(),
    });
  });

  for (const path of ["/console", "/console/*", "/api/*"])
    http.app.all(path, async (context) => (await openPage()).fetch(context.req.raw, context.env));

  const way: ConsoleDoor = {
    hasPassword: first.password !== undefined,
    address: () => {
      const isAny = ["0.0.0.0", "::", "[::]"].includes(place.host) || isLoopbackHost(place.host);
      return `http://${isAny ? "127.0.0.1" : place.host}:${http.port()}/console/`;
    },
    async makeCode() {
      if (!isOpen)
        throw new AppError(
          "CONSOLE_NOT_THERE",
          "The Kurisu that runs here has no HTTP server, so there is no console.",
        );
      return (await openDoor()).makeCode();
    },
  };
  return {
    door: way,
    requests: {
      "console-code": async () => {
        const { code, expiresAt } = await way.makeCode();
        const made = { actor: "gateway", action: "console.code-made", detail: { expiresAt }, now: parts.clock.now() };
        await appendAudit(parts.store.main, made);
        return JSON.stringify({ address: way.address(), code, expiresAt });
      },
    },
    opened: () => void (isOpen = true),
    makeCodeFor: async (person) => (isOpen ? (await openDoor()).makeCodeFor(person) : undefined),
  };
}

/** Calls `make` at the first call, and again after a failure. */
function keepMade<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return async () => {
    const making = (made ??= make());
    try {
      return await making;
    } catch (error) {
      // A later call may have begun a new one.
      if (made === making) made = undefined;
      throw error;
    }
  };
}

/** The door as people in chats know it. */
export function createChatDoor(
  now: () => Configuration,
  findMakeCode: () => ConsoleDoorPort["makeCode"],
): ConsoleDoorPort {
  return {
    isOpen: () => now().console.members,
    address() {
      const { hosts, proxies } = now().console;
      const [name] = hosts;
      // TLS comes from a proxy alone.
      return name === undefined ? undefined : `${proxies.length > 0 ? "https" : "http"}://${name}/console/`;
    },
    makeCode: (person) => findMakeCode()(person),
  };
}
