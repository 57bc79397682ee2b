import { join } from "node:path";
import { request, type IncomingHttpHeaders } from "node:http";
import { pino } from "pino";
import { createConsoleChannel } from "../../../src/channels/own-chats/console-channel.ts";
import { createConsole, type ConsoleParts } from "../../../src/console/create-console.ts";
import { createDoor, type Door, type DoorLimits } from "../../../src/console/door/door.ts";
import { digestToken } from "../../../src/console/door/sessions.ts";
import { budgetOptions } from "../../../src/models/budget-options.ts";
import { createLogRing } from "../../../src/core/log-ring.ts";
import { verifyAudit } from "../../../src/store/verify-audit.ts";
import { createLiveWatch } from "../../../src/kernel/turns/live-watch.ts";
import { loadPersona } from "../../../src/core/persona/load-persona.ts";
import { createOwnerMemories } from "../../../src/features/memory/owner-memories.ts";
import { createCancelAsOperator } from "../../../src/features/reminders/cancel-as-operator.ts";
import { createOwnerReminders } from "../../../src/features/reminders/owner-reminders.ts";
import { scheduleOptions } from "../../../src/features/reminders/schedule-options.ts";
import { createHttpServer } from "../../../src/kernel/http/http-server.ts";
import type { Store } from "../../../src/store/open-store.ts";
import { readAudit } from "../../../src/store/queries/audit.ts";
import { insertLogin, type ConsoleLogin } from "../../../src/store/queries/console-sessions.ts";
import { HandClock } from "../hand-clock.ts";
import { untilTestEnds } from "../keep-until.ts";
import { createTemporaryFolder } from "../temporary-folder.ts";
import { ScriptedModel } from "../scripted-model.ts";
import { createTestStore } from "../test-store.ts";

interface ConsoleAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The cookie that was set, as it is sent back. */
  readonly cookie: string | undefined;
}

export interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const shipped = join(import.meta.dirname, "../../../config/personas");

/** A configuration that lets nobody in. */
const nobody = {
  allow: () => [],
  trusted: () => [],
  groups: () => [],
  admins: () => undefined,
  namedByClients: () => false,
};

/** The console on the real HTTP server and a store of its own. */
export async function startConsoleServer(
  options: Partial<Omit<ConsoleParts, "store">> & {
    readonly host?: string;
    readonly password?: string;
    readonly doorLimits?: DoorLimits;
    readonly clock?: HandClock;
    /** Made by the test, else a new one. */
    readonly store?: Store;
    /** That of a server before, to go on there. */
    readonly port?: number;
  } = {},
): Promise<ConsoleServer> {
  const {
    clock = new HandClock(),
    doorLimits: limits,
    host = "127.0.0.1",
    hosts = () => [],
    password,
    port: wanted = 0,
    standing = { areMembersLetIn: () => true, roleOf: async () => "member" },
    store: made,
    ...given
  } = options;
  const store = made ?? (await createTestStore());
  const http = createHttpServer({
    host,
    port: wanted,
    publicNames: hosts().map((name) => ({ host: name, routes: ["/console", "/console/", "/api/"] })),
    log: { error: (fault: object) => void Promise.reject(new Error(JSON.stringify(fault))) },
  });
  const log = pino({ level: "silent" });
  const home = await createTemporaryFolder();
  const door = createDoor({ password, store, clock, log, ...(limits && { limits }) });
  const webConsole = createConsole({
    door,
    password,
    standing,
    hosts,
    proxies: () => [],
    onStop: http.onStop,
    page: undefined,
    version: "0.0.0-test",
    readiness: async () => ({ model: { state: "ready", since: clock.now(), detail: "scripted ready" } }),
    store,
    systemReplies: { tell: () => Promise.resolve() },
    strangers: [],
    people: {
      access: { ...nobody, owners: [] },
      platforms: [],
      unlinkAccount: undefined,
    },
    skills: {
      list: async () => [],
      listDisabled: () => [],
      choose: async () => false,
      review: async () => ({ ok: false, problem: "Not taken: nothing is." }),
      install: () => ({ kind: "gone" }),
      remove: (id) => ({ ok: false, problem: `No skill ${id} was installed.` }),
    },
    budget: () => budgetOptions.parse(undefined),
    configEditor: {
      names: [],
      list: () => ({ files: [], waiting: [] }),
      check: () => ({ faults: [], lockedLines: [], changedLocked: [] }),
      write: () => ({ kind: "secret" }),
    },
    personaSource: {
      now: () => ({
        personaFolders: { own: "/nowhere/own", shipped: "/nowhere/shipped" },
        persona: { id: "kurisu" },
        readPersona: () => ({ kind: "faulty", faults: [] }),
      }),
      check: () => [],
      refusedFiles: () => [],
      reload: () => undefined,
      scrub: (text) => text,
    },
    servers: () => [],
    acceptDefinitions: async () => [],
    tools: { list: () => [], why: async ({ name }) => ({ kind: "faulty", field: "name", problem: `no ${name}` }) },
    rules: () => ({ permissions: {}, rules: [], exclude: [] }),
    listAgents: undefined,
    waitingKeys: () => [],
    refusedFiles: () => [],
    isOffline: () => false,
    ownerCode: async () => undefined,
    decisions: {
      decide: async () => ({ kind: "unknown" }),
      mayApprove: async () => false,
      preview: async () => ({ kind: "unknown" }),
      supportsPreview: () => false,
    },
    explain: () => ({ why: [], places: [] }),
    findTool: () => undefined,
    liveWatch: createLiveWatch(log),
    actions: {
      stop: async () => "unknown",
      startOver: async () => "unknown",
      choose: async () => ({ kind: "unknown" }),
      listModels: () => [],
      canSteer: () => false,
    },
    system: {
      pause: async () => false,
      resume: async () => undefined,
      retryLetter: async () => "unknown",
      dropLetter: async () => "unknown",
      changeRole: async () => ({ kind: "by-configuration" }),
    },
    logRing: createLogRing(),
    verifyAudit: async () => ({ verdict: await verifyAudit(store, []), anchors: 0 }),
    writeConversation: async () => undefined,
    worldlines: undefined,
    memories: createOwnerMemories({ store, scrub: (text) => text, clock }),
    reminders: createOwnerReminders({
      store,
      cancel: createCancelAsOperator({ store, clock }),
      parts: { limits: () => scheduleOptions.parse({}), onChange: () => undefined },
      clock,
    }),
    trials: {
      folders: () => ({ own: join(home, "personas"), shipped }),
      readPersona: (folder, drafts) => loadPersona(folder, {}, drafts),
      models: new ScriptedModel(() => ({ text: "……" })),
      scrub: (text) => text,
      reload: () => undefined,
    },
    eraseConversation: async () => "unknown",
    erasePerson: async () => ({}),
    ownChats: createConsoleChannel({ home, clock }),
    language: () => "zh",
    zone: () => "Asia/Shanghai",
    clock,
    log,
    ...given,
  });
  for (const path of ["/console", "/console/*", "/api/*"])
    http.app.all(path, async (context) => webConsole.fetch(context.req.raw, context.env));
  const { port } = await http.start();
  untilTestEnds(() => http.stop());
  const own = `127.0.0.1:${port}`;
  const send = (asked: Asked) => sendRequest(port, asked);

  return {
    makeCode: door.makeCode,
    makeCodeFor: door.makeCodeFor,
    store,
    clock,
    port,
    stop: http.stop,
    send,
    /** As our page asks. */
    ask: ({ headers, ...asked }) => send({ ...asked, headers: { ...asPage(own), ...headers } }),
    logIn: (given, headers = {}) =>
      send({ method: "POST", path: "/api/login", body: given, headers: { ...asPage(own), ...headers } }),
    async addLogin(role, id = `login_${role}`) {
      const token = `token of ${id}`;
      await insertLogin(store.main, {
        id,
        token: digestToken(token, password ?? ""),
        person: role === "owner" ? "console:owner" : "telegram:7",
        role,
        browser: "a browser",
        createdAt: clock.now(),
        seenAt: clock.now(),
      });
      return `kurisu_console=${encodeURIComponent(token)}`;
    },
    async audited() {
      const rows = await readAudit(store.main, 100);
      return rows.map(({ action, actor, detail }) => ({ action, actor, ...(JSON.parse(detail) as object) }));
    },
  };
}

export interface ConsoleServer extends Pick<Door, "makeCode" | "makeCodeFor"> {
  readonly store: Store;
  readonly clock: HandClock;
  readonly port: number;
  readonly stop: () => Promise<void>;
  readonly send: (asked: Asked) => Promise<ConsoleAnswer>;
  readonly ask: (asked: Asked) => Promise<ConsoleAnswer>;
  readonly logIn: (given: object, headers?: Readonly<Record<string, string>>) => Promise<ConsoleAnswer>;
  /** Answers its cookie. */
  readonly addLogin: (role: ConsoleLogin["role"], id?: string) => Promise<string>;
  readonly audited: () => Promise<readonly object[]>;
}

/** The headers that our page sends from this host. */
export const asPage = (host: string): Readonly<Record<string, string>> => ({
  host,
  origin: `http://${host}`,
  "content-type": "application/json",
  "x-kurisu": "1",
});

function sendRequest(port: number, { body, headers, method = "GET", path }: Asked): Promise<ConsoleAnswer> {
  return new Promise((resolve, reject) => {
    const content = body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    // Node gives a DELETE no length by itself.
    const length = content !== undefined && method === "DELETE" && { "content-length": Buffer.byteLength(content) };
    const sent = request(
      { port, host: "127.0.0.1", method, path, headers: { ...headers, ...length }, agent: false },
      (response) => {
        let text = "";
        // It has no end.
        if (response.headers["content-type"]?.startsWith("text/event-stream")) sent.destroy();
        response.on("close", () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, cookie: undefined }),
        );
        response.on("error", () => undefined);
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => (text += chunk));
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            cookie: response.headers["set-cookie"]?.[0]?.split(";")[0],
          }),
        );
      },
    );
    sent.on("error", reject);
    sent.end(content);
  });
}
