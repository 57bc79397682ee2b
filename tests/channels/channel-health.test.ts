import { expect, it } from "vitest";
import { createHealthBoard } from "../../src/channels/channel-health.ts";
import { HandClock } from "../support/hand-clock.ts";

it("a channel is starting until it reports, so that /readyz waits for every door", () => {
  const board = createHealthBoard(new HandClock());
  expect(board.read()).toMatchObject({ state: "starting" });
  board.report("ready", "connected");
  expect(board.read()).toMatchObject({ state: "ready", detail: "connected" });
  board.report("off", "stopped");
  expect(board.read()).toMatchObject({ state: "off" });
});
