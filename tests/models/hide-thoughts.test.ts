import { array, assert, nat, property } from "fast-check";
import { expect, test } from "vitest";
import { createThoughtFilter } from "../../src/models/hide-thoughts.ts";

function filter(pieces: readonly string[]): string {
  const thoughts = createThoughtFilter();
  return pieces.map((piece) => thoughts.add(piece)).join("") + thoughts.end();
}

test("a leading think block is hidden however it is cut into pieces", () => {
  const text = "\n<think>secret <b> plan</think>\n\nHello <think>visible</think>";
  assert(
    property(array(nat(text.length), { maxLength: 12 }), (cuts) => {
      const places = [0, ...cuts.sort((a, b) => a - b), text.length];
      const pieces = places.slice(1).map((end, index) => text.slice(places[index], end));
      expect(filter(pieces)).toBe("Hello <think>visible</think>");
    }),
  );
});

test.each([
  [["<th", "e rest"], "<the rest"],
  [["plain"], "plain"],
  [["<thi"], "<thi"],
  [["<think>never closed"], ""],
  [[], ""],
])("%j", (pieces, shown) => {
  expect(filter(pieces)).toBe(shown);
});
