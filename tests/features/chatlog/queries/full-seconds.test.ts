import { expect, it } from "vitest";
import { createFullSeconds } from "../../../../src/features/chatlog/queries/full-seconds.ts";
import { placesOfSecond } from "../../../../src/features/chatlog/queries/log-places.ts";

const last = (second: number) => second * placesOfSecond + placesOfSecond - 1;

it.each<readonly [what: string, noted: readonly number[], chosen: Readonly<Record<number, number>>]>([
  ["nothing was taken", [], { 5: 5 }],
  ["a second has places left", [last(5) - 1], { 5: 5 }],
  ["a second is full", [last(5)], { 4: 4, 5: 6, 6: 6 }],
  ["the next one is full, too", [last(5), last(6)], { 4: 4, 5: 7, 6: 7, 7: 7 }],
  ["a later one is full, and those between are not known", [last(5), last(9)], { 5: 5, 8: 8, 9: 10 }],
  ["an older one fills up afterwards", [last(9), last(5)], { 5: 5, 9: 10 }],
])("where %s", (_, noted, chosen) => {
  const full = createFullSeconds();
  for (const place of noted) full.note(place);
  for (const [second, expected] of Object.entries(chosen)) expect(full.choose(Number(second))).toBe(expected);
});
