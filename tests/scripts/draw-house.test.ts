import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { drawHouse, houseFile } from "../support/pictures/draw-house.ts";

it("docs/pictures/house.svg is what the code draws now: node scripts/node.mjs tests/support/pictures/draw-house.ts writes it", () => {
  expect(readFileSync(houseFile, "utf8")).toBe(drawHouse());
});
