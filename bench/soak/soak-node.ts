import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { LLMock } from "@copilotkit/aimock";
import { findFreePort } from "../../tests/support/kurisu-process/find-free-port.ts";
import type { NodeRole } from "../../src/store/engines/open-cluster.ts";
import { startMeasured, type MeasuredProcess } from "../floor/measured-process.ts";

/** One of several processes of the product, always with the same folder, port and model. */
export interface SoakNode {
  readonly name: string;
  readonly role: NodeRole;
  readonly home: string;
  start(): void;
  /** Undefined before the first start. */
  process(): MeasuredProcess | undefined;
  isRunning(): boolean;
  /** Ends it by SIGKILL. */
  kill(): Promise<void>;
  /** Ends it by SIGTERM. */
  stop(): Promise<void>;
  /** Whether it is connected to the platform. */
  isConnected(): Promise<boolean>;
  /** The sentences that its model was asked about. */
  readonly asked: ReadonlySet<number>;
}

const thinkingMs = 700;
const pieceMs = 60;

/** The number of the sentence that a model is asked about, or that an answer names. */
export const readNumber = (text: string): number => Number(/第 ?(\d+) ?句/.exec(text)?.[1] ?? 0);

export async function openSoakNode(
  { name, role }: Pick<SoakNode, "name" | "role">,
  place: {
    readonly folder: string;
    readonly environment: Readonly<Record<string, string>>;
    readonly stack: AsyncDisposableStack;
  },
): Promise<SoakNode> {
  const home = join(place.folder, name);
  mkdirSync(home, { mode: 0o700 });
  const port = await findFreePort();
  const asked = new Set<number>();
  const model = new LLMock({ port: 0, chunkSize: 4, latency: pieceMs });
  model.on({ predicate: () => true }, async ({ messages }) => {
    const number = readNumber(JSON.stringify(messages.findLast(({ role: from }) => from === "user")?.content));
    asked.add(number);
    await pause(thinkingMs);
    return { content: `第${number}句收到了，我记下了。` };
  });
  await model.start();
  place.stack.defer(() => model.stop());
  const { PATH = "", HOME = "", TMPDIR = tmpdir() } = process.env;
  const environment = {
    PATH,
    HOME,
    TMPDIR,
    DOCKER_HOST: "unix:///nonexistent/docker.sock",
    KURISU_HOME: home,
    KURISU_PORT: String(port),
    KURISU_MODEL: "openai:bench",
    OPENAI_BASE_URL: `${model.url}/v1`,
    OPENAI_API_KEY: "none",
    ...place.environment,
  };
  let running: MeasuredProcess | undefined;
  place.stack.defer(() => running?.stop("SIGKILL"));
  return {
    name,
    role,
    home,
    asked,
    process: () => running,
    start() {
      const command = [process.execPath, buildBundle(), "start", "--role", role];
      running = startMeasured({ command, environment, log: join(home, "output.log") });
    },
    isRunning: () => running?.isRunning() ?? false,
    kill: async () => running?.stop("SIGKILL"),
    stop: async () => running?.stop("SIGTERM"),
    async isConnected() {
      try {
        const signal = AbortSignal.timeout(1_000);
        return (await fetch(`http://127.0.0.1:${port}/readyz?channel=telegram`, { signal })).ok;
      } catch {
        // It is just starting.
        return false;
      }
    },
  };
}

let bundle: string | undefined;

/** The bundle, as people run it. */
function buildBundle(): string {
  const script = join(import.meta.dirname, "..", "..", "scripts", "bundle.mjs");
  return (bundle ??= execFileSync(process.execPath, [script], { encoding: "utf8" }).trim());
}
