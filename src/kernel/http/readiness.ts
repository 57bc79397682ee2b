import { countOf } from "../../core/words/count-of.ts";
import { sql } from "kysely";
import type { Clock } from "../../core/clock.ts";
import { describeError } from "../../core/errors.ts";
import type { Words } from "../../core/words/dictionary.ts";
import type { Models } from "../../models/types.ts";
import { describeWaits } from "../../store/queries/outages.ts";
import { findPause } from "../../store/queries/pause.ts";
import type { Store } from "../../store/open-store.ts";
import type { MadeFeature } from "../feature/make-features.ts";
import type { Sandbox, SandboxStatus } from "../../sandbox/types.ts";
import type { Readiness } from "./mount-readiness.ts";
import type { Channel } from "../../channels/types.ts";

/** The state of every required part, and since when; for /readyz and the start screen. */
export function createReadiness(parts: {
  readonly channels: readonly Channel[];
  /** Whether this process is the one that is connected to a platform. */
  readonly owns: (platform: string) => boolean;
  /** This process among those of its database. */
  readonly describeCluster: () => Readiness | undefined;
  readonly models: Models;
  /** A process that runs none needs no sandbox. */
  readonly runsTurns: boolean;
  readonly sandbox: Sandbox;
  readonly store: Store;
  readonly features: readonly Pick<MadeFeature, "hooks">[];
  /** A recent stall of the event loop. */
  readonly stall: () => Readiness | undefined;
  /** Changed configuration keys that wait for a restart. */
  readonly waitingKeys: () => readonly string[];
  /** Faulty configuration files, whose last good versions are in force. */
  readonly refusedFiles: () => readonly string[];
  readonly clock: Clock;
}): () => Promise<Readonly<Record<string, Readiness>>> {
  const startedAt = parts.clock.now();
  const lastSandbox = { state: "", since: startedAt };
  return async () => {
    const pause = await findPause(parts.store.main).catch(() => undefined);
    const outage = await describeWaits(parts.store.main).catch(() => undefined);
    const sandbox = await parts.sandbox.status();
    if (sandbox.state !== lastSandbox.state)
      Object.assign(lastSandbox, { state: sandbox.state, since: parts.clock.now() });
    const stall = parts.stall();
    const waiting = parts.waitingKeys();
    const refused = parts.refusedFiles();
    const cluster = parts.describeCluster();
    const models = parts.models.status();
    const working = models.find((model) => model.state !== "failing");
    return {
      ...Object.fromEntries(
        parts.channels.map((channel) => [
          channel.platform,
          parts.owns(channel.platform) ? channel.health() : { ...standby, since: startedAt },
        ]),
      ),
      ...(cluster && { cluster }),
      model: {
        state: working ? "ready" : "failed",
        since: (working ?? models[0])?.since ?? startedAt,
        detail: models.map((model) => `${model.model} ${model.state}`).join(", "),
        models,
      },
      ...(pause && {
        work: { state: "off", since: pause.since, detail: `paused by ${pause.person}; /resume goes on` },
      }),
      ...(outage && {
        waiting: {
          state: "degraded",
          since: outage.since,
          detail: `${countOf(outage.count, "message waits", "messages wait")} for a model`,
        },
      }),
      ...(stall && { "event loop": stall }),
      ...(waiting.length > 0 && {
        configuration: { state: "off", since: startedAt, detail: `waits for a restart: ${waiting.join(", ")}` },
      }),
      ...(refused.length > 0 && {
        configuration: { state: "degraded", since: startedAt, detail: describeRefused(refused) },
      }),
      store: await checkStore(parts.store, startedAt),
      ...(Object.assign({}, ...parts.features.map(({ hooks }) => hooks.readiness?.())) as Record<string, Readiness>),
      sandbox: parts.runsTurns
        ? {
            state: sandbox.state === "ready" ? "ready" : sandbox.state === "off" ? "off" : "degraded",
            since: lastSandbox.since,
            detail: sandbox.detail,
          }
        : { ...sandboxElsewhere, since: startedAt },
    };
  };
}

function describeRefused(files: readonly string[]): string {
  return `faulty, so the last good version is in force, and the next start would fail: ${files.join(", ")}`;
}

const standby = {
  state: "off",
  detail: "another process is connected; this one stands by",
  news: { kind: "standby" },
} as const;

const sandboxElsewhere = { state: "off", detail: "the workers run commands", news: { kind: "standby" } } as const;

/** The models in fallback order, for people. */
export function listModels(models: Models): string {
  return models
    .status()
    .map((model) => model.model)
    .join(", ");
}

/** The sandbox in one line, for people. */
export function describeSandbox(status: SandboxStatus, words: Words): string {
  if (status.state !== "ready") return words.start.sandboxStates[status.state];
  const { engineVersion, image } = status;
  return words.start.sandboxReady({
    engine: engineVersion,
    image: image.name,
    megabytes: Math.round(image.sizeBytes / 1e6),
  });
}

async function checkStore(store: Store, since: number): Promise<Readiness> {
  try {
    await sql`select 1`.execute(store.main);
    return { state: "ready", since, detail: store.engine };
  } catch (error) {
    return { state: "failed", since, detail: describeError(error) };
  }
}
