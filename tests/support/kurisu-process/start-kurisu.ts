import { setTimeout as pause } from "node:timers/promises";
import { spawnKurisu, type Exit, type KurisuProcess, type SpawnOptions } from "./spawn-kurisu.ts";
import { patienceMs } from "../patience.ts";

export interface RunningKurisu extends KurisuProcess {
  /** Where its HTTP server listens. */
  readonly url: string;
  /** SIGTERM, then the end. */
  stop(timeoutMs?: number): Promise<Exit>;
  /** kill -9, then the end. */
  crash(): Promise<void>;
}

/** `kurisu start`, ready: the start screen is there and every channel has connected. Throws when it ended instead. */
export async function startKurisu(options: SpawnOptions): Promise<RunningKurisu> {
  const started = await tryStartKurisu(options);
  if (started.kind === "running") return started.kurisu;
  const { code, signal } = started.exit;
  throw new Error(`kurisu start ended with ${code ?? signal}\n${started.process.stdout()}${started.process.stderr()}`);
}

export type Started =
  | { readonly kind: "running"; readonly kurisu: RunningKurisu }
  | { readonly kind: "ended"; readonly exit: Exit; readonly process: KurisuProcess };

/** The same for a start that may end early, because somebody kills it or because it refuses. */
export async function tryStartKurisu(options: SpawnOptions, timeoutMs = patienceMs): Promise<Started> {
  const child = spawnKurisu(["start", ...(options.role === undefined ? [] : ["--role", options.role])], options);
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline) {
    const exit = child.exit();
    if (exit !== undefined) return { kind: "ended", exit, process: child };
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(child.stdout())?.[0];
    if (url !== undefined && (await isReady(url))) {
      return {
        kind: "running",
        kurisu: {
          ...child,
          url,
          async stop(limit) {
            child.kill("SIGTERM");
            return child.ended(limit);
          },
          async crash() {
            child.kill("SIGKILL");
            await child.ended();
          },
        },
      };
    }
    await pause(25);
  }
  throw new Error(`kurisu start was not ready within ${timeoutMs} ms\n${child.stdout()}${child.stderr()}`);
}

async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(patienceMs) });
    const body = (await answer.json()) as Record<string, { readonly state?: string }>;
    return Object.values(body).every((part) => part.state !== "starting");
  } catch {
    // It is just ending; the caller sees that.
    return false;
  }
}
