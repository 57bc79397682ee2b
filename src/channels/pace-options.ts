import { z } from "zod";
import type { SendPace } from "./send-pace.ts";

const rate = { error: "must be a number from 0 on; 0 = no limit" };
const whole = { error: "must be a whole number from 1 on" };

/** The section `pace` of a channel. `usual` = the limits of its platform, as far as they are known. */
export const definePace = (usual: {
  readonly chat: number;
  readonly burst: number;
  readonly group: number;
  readonly all: number;
}) =>
  z
    .strictObject({
      chat: z.number(rate).min(0, rate).default(usual.chat).describe("Messages a second in one chat; 0 = no limit."),
      burst: z
        .int(whole)
        .min(1, whole)
        .default(usual.burst)
        .describe("So many may leave at once in a chat that was quiet."),
      group: z.number(rate).min(0, rate).default(usual.group).describe("Messages a minute in one group; 0 = no limit."),
      all: z.number(rate).min(0, rate).default(usual.all).describe("Messages a second in all; 0 = no limit."),
    })
    .prefault({})
    .describe("How fast messages leave; edits and drafts count, too.");

export type PaceOptions = z.output<ReturnType<typeof definePace>>;

/** `jitterMs` = how much later by chance a message of a chat may leave, where chats have a limit. */
export function toSendPace({ chat, burst, group, all }: PaceOptions, jitterMs = 0): SendPace {
  return {
    all: toWindow(all, 1_000),
    chat: { gapMs: chat === 0 ? 0 : 1_000 / chat, burst, jitterMs: chat === 0 ? 0 : jitterMs },
    group: toWindow(group, 60_000),
  };
}

/** Fewer than one in that time are one in a longer time. */
function toWindow(count: number, everyMs: number): SendPace["all"] {
  if (count === 0) return { count: Infinity, everyMs };
  return count < 1 ? { count: 1, everyMs: everyMs / count } : { count: Math.floor(count), everyMs };
}
