import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Configuration } from "../config.ts";
import { AppError } from "../core/errors.ts";
import { connectControlSocket } from "../kernel/socket/control-socket.ts";
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
