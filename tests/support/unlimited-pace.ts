import type { SendPace } from "../../src/channels/send-pace.ts";

/** For tests of anything but the pace. */
export const unlimitedPace: SendPace = {
  all: { count: Infinity, everyMs: 1_000 },
  chat: { gapMs: 0, burst: 1, jitterMs: 0 },
  group: { count: Infinity, everyMs: 60_000 },
};
