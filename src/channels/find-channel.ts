import type { Channel } from "./types.ts";

/** One channel a platform. */
export function findChannel(channels: readonly Channel[], platform: string): Channel | undefined {
  return channels.find((channel) => channel.platform === platform);
}
