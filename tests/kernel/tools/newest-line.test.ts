import { expect, it } from "vitest";
import { createNewestLine } from "../../../src/features/work-tools/shell.ts";

it("follows output however it is cut into pieces", () => {
  const follow = createNewestLine();
  const pieces = ["down", "loading\n", "\n", "10 %", "\r20 %\r", "  ", "done\n"];
  expect(pieces.map(follow)).toEqual(["down", "downloading", "downloading", "10 %", "20 %", "20 %", "done"]);
});

it("holds only the end of a line that never ends", () => {
  const follow = createNewestLine();
  for (let count = 0; count < 100; count += 1) expect(follow("x".repeat(3_000)).length).toBeLessThanOrEqual(8_000);
});
