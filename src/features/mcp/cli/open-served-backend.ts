import { AppError } from "../../../core/errors.ts";
import type { ServedAnswer, ServedDefinition } from "../served/types.ts";
import type { ServedBackend } from "../serving/protocol-server.ts";
import type { CommandContext } from "../../../kernel/command-line/command.ts";
import type { ServedRequest } from "../served/served-requests.ts";

export interface OpenBackend extends ServedBackend {
  close(): Promise<void>;
}

interface Way extends OpenBackend {
  /** The other side went away; the next call looks for another one. */
  isOver(): boolean;
}

interface Wanted {
  readonly context: CommandContext;
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
    // The first of several parallel calls looks, and the others share its result.
    if (opening === before && (way === undefined || way.isOver())) opening = openWay(wanted);
    return opening;
  }

  return {
    list: async () => (await find()).list(),
    call: async (name, given, signal) => (await find()).call(name, given, signal),
    close: async () => (await opening).close(),
  };
}

async function openWay({ context, server, session }: Wanted): Promise<Way> {
  // One of our own processes has the socket: other clients, and `chat`, come through it.
  const kurisu = await context.reachKurisu("mcp serve", "stays");
  const { isOver, close } = kurisu;
  const ask = (request: ServedRequest, signal?: AbortSignal) => kurisu.ask(request, signal);
  return {
    list: async () => JSON.parse(await ask({ kind: "tools", server })) as ServedDefinition[],
    async call(name, given, signal) {
      try {
        const call = { server, session, name, arguments: given };
        return JSON.parse(await ask({ kind: "call", call }, signal)) as ServedAnswer;
      } catch (error) {
        if (!isOver() || !(error instanceof AppError) || error.code !== "CHANNEL_UNREACHABLE") throw error;
        const lost =
          "Kurisu ended while this call was on its way. It may or may not have happened; look before it is repeated.";
        return { ok: false, error: lost, meta: { status: "unknown" }, media: [] };
      }
    },
    isOver,
    close,
  };
}
