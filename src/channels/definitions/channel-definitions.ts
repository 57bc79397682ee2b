import { api } from "../api/api.ts";
import type { ChannelDefinition, ChannelSettings } from "../define-channel.ts";
import { onebot } from "../onebot/onebot.ts";
import { qq } from "../qq/qq.ts";
import { telegram } from "../telegram/telegram.ts";

/**
 * The chat platforms there are, in the order of channels.yaml. The terminal is not among them: it is always on, and
 * belongs to main.
 */
export const channelDefinitions: readonly ChannelDefinition[] = [telegram, onebot, qq, api];

/** By name, as the configuration has those that are on. */
export type ConfiguredChannels = Readonly<Partial<Record<string, ChannelSettings>>>;

/** Undefined when no channel of that platform is on. */
export function findChannelSettings(configured: ConfiguredChannels, platform: string): ChannelSettings | undefined {
  const definition = channelDefinitions.find((one) => one.platform === platform);
  return definition && configured[definition.name];
}

/** Whether the people of a platform are names that a client chooses. */
export function isNamedByClients(platform: string): boolean {
  return channelDefinitions.some((one) => one.platform === platform && one.namedByClients === true);
}

/** Milliseconds a question may stay open in a session; Infinity where the platform sets no limit. */
export function findLongestQuestion(session: string, chatKind: "private" | "group"): number {
  const [platform] = session.split(":");
  const definition = channelDefinitions.find((one) => one.platform === platform);
  return definition?.longestQuestionMs?.[chatKind] ?? Infinity;
}
