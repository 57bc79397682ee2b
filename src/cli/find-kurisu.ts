import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Configuration } from "../config.ts";
import { AppError } from "../core/errors.ts";
import { connectControlSocket } from "../kernel/socket/control-socket.ts";
import type { ReachedKurisu } from "../kernel/command-line/command.ts";
import { createControlClient } from "./chat-connection.ts";
import type { CommandContext, Kurisu } from "./types.ts";

const patienceMs = 10_000;

type FoundKurisu =
  | { readonly kind: "running"; readonly socket: Socket }
  | { readonly kind: "own"; readonly kurisu: Kurisu };

/**
 * The Kurisu that runs on the data folder, or else one of our own, not started. Another one-shot command may hold the
 * folder for a moment; so may a Kurisu that is just starting.
 */
export async function findKurisu(
  context: CommandContext,
  configuration: Configuration,
  purpose: string,
): Promise<FoundKurisu> {
  const patience = AbortSignal.timeout(patienceMs);
  for (;;) {
    const socket = await connectControlSocket(configuration.home);
    if (socket) return { kind: "running", socket };
    try {
      return { kind: "own", kurisu: await context.assemble(configuration, { purpose, quiet: true }) };
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "DATA_FOLDER_BUSY" || patience.aborted) throw error;
    }
    await sleep(100);
  }
}

/**
 * The way of commands of features: the same hooks answer here and in a Kurisu that runs. With `stays`, one of our own is started, and
 * other commands reach it over the socket.
 */
export async function reachKurisu(context: CommandContext, purpose: string, stays?: "stays"): Promise<ReachedKurisu> {
  const found = await findKurisu(context, context.configuration(), purpose);
  if (found.kind === "running") {
    const { socket } = found;
    const client = createControlClient(socket, () => undefined);
    return {
      isRunning: true,
      ask: client.askFeature,
      isOver: () => socket.destroyed,
      async close() {
        socket.destroy();
        await client.ended;
      },
    };
  }
  const { kurisu } = found;
  try {
    if (stays) await kurisu.start({ kind: "client", session: "cli:local:main", stays: true });
  } catch (error) {
    await kurisu.stop();
    throw error;
  }
  return { isRunning: false, ask: kurisu.answer, isOver: () => false, close: () => kurisu.stop() };
}
