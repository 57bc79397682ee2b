import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parse, stringify } from "yaml";
import type { NodeRole } from "../../src/store/engines/open-cluster.ts";
import { startFakeBotApi, type FakeBotApi, type FakeBotApiOptions } from "../../tests/support/telegram/fake-bot-api.ts";
import { enterControlGroup, type ControlGroup } from "./control-group.ts";
import { startMeasured, type MeasuredProcess } from "./measured-process.ts";

const thisRoot = join(import.meta.dirname, "..", "..");
const here = (file: string) => join(import.meta.dirname, file);

/** The chats of the crowd; the last one is the person who talks at a person's pace. */
export const crowd = Array.from({ length: 20 }, (_, index) => 1_001 + index);
export const person = 2_001;

/** A bot under measurement, on a fake Telegram of its own. */
export interface Subject {
  readonly name: string;
  readonly fake: FakeBotApi;
  /** All that its process gets. */
  readonly environment: Readonly<Record<string, string>>;
  /** Its output so far. */
  readLog(): string;
  /** Starts it on the same data again; answers when it has first asked for messages. */
  start(options?: StartOptions): Promise<RunningSubject>;
}

interface StartOptions {
  /** A module of this folder that Node loads before the program. It costs a little. */
  readonly preload?: "count-calls.mjs" | "profile-cpu.mjs";
  readonly group?: ControlGroup;
}

export interface RunningSubject extends MeasuredProcess {
  /** Milliseconds from the start of the process, and its processor time until then. */
  readonly ready: { readonly ms: number; readonly cpu: number };
  /** Sends SIGUSR2 to the preloaded module and answers the JSON that it writes. */
  askPreload(): Promise<unknown>;
}

export interface Ground {
  /** Of the model server. */
  readonly modelUrl: string;
  /** A folder for everything that the bots write. */
  readonly folder: string;
  readonly stack: AsyncDisposableStack;
}

/** A bot of one file, which only repeats. */
export const openTelegraf = (ground: Ground) => openSubject("bare telegraf", here("telegraf-process.ts"), ground);

/** The requests of a turn and nothing else: the most that this harness can measure. */
export const openCeiling = (ground: Ground) => openSubject("the harness alone", here("ceiling-process.ts"), ground);

export interface KurisuOptions extends Pick<FakeBotApiOptions, "limits"> {
  readonly name: string;
  /** The folder of another version; else this checkout. */
  readonly root?: string;
  readonly databaseUrl?: string;
  readonly dockerHost?: string;
  /** Its messages leave at the pace that the configuration we ship sets; else without any: then the gateway is measured. */
  readonly paced?: boolean;
  readonly logLevel?: string;
  /** Beside other processes on the same database. */
  readonly role?: NodeRole;
  /** Turns at once; else as the configuration that we ship sets them. */
  readonly maxTurns?: number;
  /** The people who talk to it; default: the crowd and the person. */
  readonly people?: readonly number[];
}

/** The product, by the command that `npm start` runs. */
export function openKurisu(ground: Ground, options: KurisuOptions): Promise<Subject> {
  const {
    name,
    root = thisRoot,
    databaseUrl,
    dockerHost = "unix:///nonexistent/docker.sock",
    paced = false,
    limits,
    logLevel,
    role,
    maxTurns,
    people,
  } = options;
  return openSubject(name, join(root, "scripts", "node.mjs"), ground, {
    root,
    given: ["src/main.ts", "start", ...(role === undefined ? [] : ["--role", role])],
    environment: {
      DOCKER_HOST: dockerHost,
      KURISU_CONFIG: copyConfig(root, ground.folder, paced, maxTurns),
      ...(people !== undefined && { KURISU_OWNERS: nameOwners(people) }),
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
      ...(logLevel !== undefined && { LOG_LEVEL: logLevel }),
    },
    fake: limits === undefined ? {} : { limits },
  });
}

interface ShippedChannels {
  busy: object;
  readonly limits?: { readonly turns: { all: number } };
  readonly telegram: { pace?: object };
}

interface ChannelsSchema {
  readonly properties: {
    readonly busy?: { readonly properties: { readonly burst?: object } };
    readonly telegram: { readonly properties: { readonly pace?: object } };
  };
}

const nameOwners = (people: readonly number[]): string => people.map((id) => `telegram:${id}`).join(",");

function copyConfig(root: string, folder: string, paced: boolean, maxTurns: number | undefined): string {
  const copy = join(mkdtempSync(join(folder, "config-")), "config");
  cpSync(join(root, "config"), copy, { recursive: true });
  const file = join(copy, "system", "channels.yaml");
  const channels = parse(readFileSync(file, "utf8")) as ShippedChannels;
  const schema = join(copy, "schema", "channels.schema.json");
  // An older version refuses keys that came after it.
  const { busy, telegram } = (JSON.parse(readFileSync(schema, "utf8")) as ChannelsSchema).properties;
  // One person says much at once, and each message is to be answered.
  if (busy?.properties.burst) channels.busy = { burst: 0 };
  if (!paced && telegram.properties.pace) channels.telegram.pace = { chat: 0, group: 0, all: 0 };
  if (maxTurns !== undefined && channels.limits) channels.limits.turns.all = maxTurns;
  writeFileSync(file, stringify(channels));
  return copy;
}

async function openSubject(
  name: string,
  file: string,
  { folder, modelUrl, stack }: Ground,
  more: {
    readonly root?: string;
    readonly given?: readonly string[];
    readonly environment?: Readonly<Record<string, string>>;
    readonly fake?: FakeBotApiOptions;
  } = {},
): Promise<Subject> {
  const fake = stack.use(await startFakeBotApi(more.fake));
  const place = mkdtempSync(join(folder, "subject-"));
  const home = join(place, "home");
  mkdirSync(home, { mode: 0o700 });
  const preloadOutput = join(place, "preload.json");
  const environment = {
    ...pick(["PATH", "HOME", "TMPDIR", "KURISU_SANDBOX_IMAGE"]),
    TELEGRAM_API_ROOT: fake.url,
    TELEGRAM_BOT_TOKEN: fake.token,
    KURISU_MODEL: "openai:bench",
    OPENAI_BASE_URL: modelUrl,
    OPENAI_API_KEY: "none",
    KURISU_HOME: home,
    KURISU_OWNERS: nameOwners([...crowd, person]),
    KURISU_PORT: "0",
    ...more.environment,
  };
  const log = join(place, "output.log");

  async function start({ preload, group }: StartOptions = {}): Promise<RunningSubject> {
    const polls = fake.callsOf("getUpdates").length;
    const command = [process.execPath, file, ...(more.given ?? [])];
    const running = startMeasured({
      command: group === undefined ? command : enterControlGroup(group, command),
      folder: more.root ?? thisRoot,
      environment: {
        ...environment,
        ...(preload !== undefined && { BENCH_OUTPUT: preloadOutput, NODE_OPTIONS: `--import ${here(preload)}` }),
      },
      log,
    });
    stack.defer(() => running.stop("SIGKILL"));
    try {
      const isReady = () => fake.callsOf("getUpdates").length > polls;
      await fake.waitFor(() => isReady() || !running.isRunning(), `the start of ${name}`, 90_000);
      if (!isReady()) throw new Error(`${name} ended before it asked for messages`);
    } catch (error) {
      throw new Error(readFileSync(log, "utf8"), { cause: error });
    }
    const ready = { ms: performance.now() - running.startedAt, cpu: running.cpu() };
    return {
      ...running,
      ready,
      async askPreload() {
        rmSync(preloadOutput, { force: true });
        running.signal("SIGUSR2");
        while (!existsSync(preloadOutput)) await pause(20);
        return JSON.parse(readFileSync(preloadOutput, "utf8")) as unknown;
      },
    };
  }

  return { name, fake, environment, readLog: () => readFileSync(log, "utf8"), start };
}

function pick(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}
