import { setTimeout as pause } from "node:timers/promises";
import type { FetchedFile } from "../../channels/attachment.ts";
import type { Channel } from "../../channels/types.ts";
import type { AskNodes } from "./ask-nodes.ts";
import type { ChannelCall } from "./channel-calls.ts";

const answerLimitMs = 10_000;
/** A process that is frozen must not hold up what is shown to the clients of others. */
const showLimitMs = 500;

/**
 * A channel whose clients (terminals, pages, requests) may be connected to any process: what is shown to them is shown at
 * all processes, and a file that is not here is looked for at the others.
 */
export function reachClients<Given extends Channel>(channel: Given, ask: Pick<AskNodes, "all" | "first">): Given {
  const { answerPress, close, eraseChatFiles, eraseFiles, fetchFile, platform, show } = channel;

  /** The others are told as well; what they answer counts for nothing, so a slow one is not waited for. */
  async function tellAll<Answer>(
    call: ChannelCall,
    values: readonly unknown[],
    here: Promise<Answer>,
  ): Promise<Answer> {
    const told = ask.all(platform, call, values, AbortSignal.timeout(answerLimitMs));
    await Promise.allSettled([here, Promise.race([told, pause(showLimitMs, undefined, { ref: false })])]);
    return here;
  }

  const findFile: NonNullable<Channel["fetchFile"]> = async (address, source, limits) => {
    const here = await fetchFile?.(address, source, limits);
    if (here?.kind === "fetched" || here?.kind === "tooLarge") return here;
    const { maxBytes, signal } = limits;
    const found = await ask.first(platform, "fetchFile", [address, source, { maxBytes }], signal, ({ result }) =>
      ["fetched", "tooLarge"].includes((result as FetchedFile).kind),
    );
    return (found?.result as FetchedFile | undefined) ?? here ?? missing;
  };

  /** Each process keeps the files of its own clients. */
  async function eraseAll(
    call: "eraseFiles" | "eraseChatFiles",
    values: readonly unknown[],
    here: Promise<number>,
  ): Promise<number> {
    const others = ask.all(platform, call, values, AbortSignal.timeout(answerLimitMs));
    const [count, answers] = await Promise.all([here, others]);
    return answers.reduce((sum, { result }) => sum + Number(result), count);
  }

  return {
    ...channel,
    ...(show && { show: (...given) => tellAll("show", given, show(...given)) }),
    ...(close && { close: (...given) => tellAll("close", given, close(...given)) }),
    ...(answerPress && { answerPress: (...given) => tellAll("answerPress", given, answerPress(...given)) }),
    ...(fetchFile && { fetchFile: findFile }),
    ...(eraseFiles && { eraseFiles: (...given) => eraseAll("eraseFiles", given, eraseFiles(...given)) }),
    ...(eraseChatFiles && {
      eraseChatFiles: (address) => eraseAll("eraseChatFiles", [address], eraseChatFiles(address)),
    }),
  };
}

const missing: FetchedFile = { kind: "gone", reason: "no such file" };
