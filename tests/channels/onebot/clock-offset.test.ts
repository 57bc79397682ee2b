import { expect, it } from "vitest";
import { createClockOffset } from "../../../src/channels/onebot/account.ts";

const message = (time: unknown) => ({ post_type: "message", time });

it("says nothing before a message has come", () => {
  const offset = createClockOffset();
  for (const strange of [undefined, null, 0, -5, 1.5, "soon", 1_700_000_000_000]) offset.note(message(strange), 10);
  offset.note({ post_type: "meta_event", meta_event_type: "heartbeat", time: 1_700_000_000 }, 10);
  expect(offset.toTheirs(10)).toBeUndefined();
});

it("takes the quickest of the messages, so that late ones do no harm", () => {
  const offset = createClockOffset();
  offset.note(message(1_700_000_000), 60_000);
  expect(offset.toTheirs(60_000)).toBe(1_700_000_000_000);
  offset.note(message("1700000060"), 60_300);
  offset.note(message(1_700_000_010), 90_000);
  expect(offset.toTheirs(61_300)).toBe(1_700_000_061_000);
});

it("forgets old messages, so that a server whose clock was set back is measured anew", () => {
  const offset = createClockOffset();
  offset.note(message(1_700_003_600), 0);
  for (let count = 1; count <= 49; count += 1) offset.note(message(1_700_000_000 + count), count * 1_000);
  expect(offset.toTheirs(50_000)).toBe(1_700_003_650_000);
  offset.note(message(1_700_000_050), 50_000);
  expect(offset.toTheirs(50_000)).toBe(1_700_000_050_000);
});
