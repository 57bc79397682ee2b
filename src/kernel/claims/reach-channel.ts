import type { Channel, Delivery } from "../../channels/types.ts";
import type { AskNodes } from "./ask-nodes.ts";
import type { ChannelCall } from "./channel-calls.ts";

const answerLimitMs = 10_000;
const retryMs = 5_000;
const reason = "no process that is connected to the platform answered";
const later: Delivery = { kind: "later", afterMs: retryMs, reason };

/**
 * A channel whose calls reach the platform from every process: those that need the connection are answered by the process
 * that has it. Without an answer they end as if the platform itself had not answered. Messages go out through the outbox.
 */
export function reachChannel(
  channel: Channel,
  deps: { readonly owns: (platform: string) => boolean; readonly ask: Pick<AskNodes, "owner"> },
): Channel {
  const { platform } = channel;

  /** The call as the platform has it, here or at the owner; a platform without it has it nowhere. */
  function through<Call extends Exclude<ChannelCall, "fetchFile">>(
    call: Call,
    unanswered: Awaited<ReturnType<NonNullable<Channel[Call]>>>,
  ): Pick<Channel, Call> | undefined {
    const own = channel[call];
    if (own === undefined) return undefined;
    const reach = async (...values: readonly unknown[]): Promise<unknown> => {
      if (deps.owns(platform)) return Reflect.apply(own, channel, values);
      const answer = await deps.ask.owner(platform, call, values, AbortSignal.timeout(answerLimitMs));
      return answer ? answer.result : unanswered;
    };
    return { [call]: reach } as unknown as Pick<Channel, Call>;
  }

  const { fetchFile } = channel;
  const reachFile: NonNullable<Channel["fetchFile"]> = async (address, source, limits) => {
    if (deps.owns(platform) && fetchFile) return fetchFile.call(channel, address, source, limits);
    const { maxBytes, signal } = limits;
    const answer = await deps.ask.owner(platform, "fetchFile", [address, source, { maxBytes }], signal);
    return answer ? (answer.result as Awaited<ReturnType<typeof reachFile>>) : { kind: "unreachable", reason };
  };

  return {
    platform,
    capabilities: channel.capabilities,
    start: (...given) => channel.start(...given),
    stopReceiving: () => channel.stopReceiving(),
    stop: () => channel.stop(),
    split: (message) => channel.split(message),
    send: (...given) => channel.send(...given),
    sendFile: (...given) => channel.sendFile(...given),
    health: () => channel.health(),
    ...(channel.firstViewMs && { firstViewMs: channel.firstViewMs.bind(channel) }),
    ...(channel.eraseFiles && { eraseFiles: channel.eraseFiles.bind(channel) }),
    ...(channel.eraseChatFiles && { eraseChatFiles: channel.eraseChatFiles.bind(channel) }),
    ...(fetchFile && { fetchFile: reachFile }),
    ...through("show", undefined),
    ...through("showTyping", undefined),
    ...through("react", undefined),
    ...through("answerPress", undefined),
    ...through("close", later),
    ...through("relabel", later),
    ...through("remove", later),
    ...through("isAdministrator", false),
    ...through("answerRequest", { kind: "later", reason }),
    ...through("readHistory", { kind: "unavailable", reason }),
  };
}
