import type { Channel } from "./types.ts";

/** There is one channel per platform. */
export function findChannel(channels: readonly Channel[], platform: string): Channel | undefined {
  return channels.find((channel) => channel.platform === platform);
}
