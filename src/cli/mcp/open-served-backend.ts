import type { Configuration } from "../../config.ts";
import { AppError } from "../../core/errors.ts";
import type { ServedAnswer, ServedDefinition } from "../../features/mcp/served/types.ts";
import type { ServedBackend } from "../../features/mcp/serving/protocol-server.ts";
import { createControlClient } from "../chat-connection.ts";
import { findKurisu } from "../find-kurisu.ts";
import type { CommandContext } from "../types.ts";

export interface OpenBackend extends ServedBackend {
  close(): Promise<void>;
}

interface Way extends OpenBackend {
  /** The other side went away; the next call looks for another one. */
  isOver(): boolean;
}

interface Wanted {
  readonly context: CommandContext;
  readonly configuration: Configuration;
  readonly server: string;
  readonly session: string;
}

/**
 * The tools of the Kurisu that runs on the data folder, or of one of our own where none runs. When the one that ran ends,
 * the next call finds another one or takes its place.
 */
export async function openServedBackend(wanted: Wanted): Promise<OpenBackend> {
  let opening = openWay(wanted);
  await opening;

  async function find(): Promise<Way> {
    const before = opening;
    const way = await before.catch(() => undefined);
    // Of several calls at once the first one looks, and the others take what it finds.
    if (opening === before && (way === undefined || way.isOver())) opening = openWay(wanted);
    return opening;
  }

  return {
    list: async () => (await find()).list(),
    call: async (name, given, signal) => (await find()).call(name, given, signal),
    close: async () => (await opening).close(),
  };
}

async function openWay({ context, configuration, server, session }: Wanted): Promise<Way> {
  const found = await findKurisu(context, configuration, "mcp serve");
  if (found.kind === "own") {
    const { kurisu } = found;
    const { served } = kurisu;
    const call: Way["call"] = (name, given, signal) => served.call({ server, session, name, arguments: given }, signal);
    try {
      // With the socket: other clients, and `chat`, come through this process.
      await kurisu.start({ kind: "client", session: "cli:local:main", stays: true });
    } catch (error) {
      await kurisu.stop();
      throw error;
    }
    return { list: async () => served.list(server), call, isOver: () => false, close: () => kurisu.stop() };
  }
  const { socket } = found;
  const client = createControlClient(socket, () => undefined);
  return {
    list: async () => JSON.parse(await client.ask((id) => ({ kind: "tools", id, server }))) as ServedDefinition[],
    async call(name, given, signal) {
      let cancel = (): void => undefined;
      const answer = client.ask((id) => {
        cancel = () => client.send({ kind: "cancel", call: id });
        return { kind: "call", id, call: { server, session, name, arguments: given } };
      });
      if (signal.aborted) cancel();
      signal.addEventListener("abort", cancel, { once: true });
      try {
        return JSON.parse(await answer) as ServedAnswer;
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== "CHANNEL_UNREACHABLE") throw error;
        const lost =
          "Kurisu ended while this call was on its way. It may or may not have happened; look before it is repeated.";
        return { ok: false, error: lost, meta: { status: "unknown" }, media: [] };
      } finally {
        signal.removeEventListener("abort", cancel);
      }
    },
    isOver: () => socket.destroyed,
    async close() {
      socket.destroy();
      await client.ended;
    },
  };
}
