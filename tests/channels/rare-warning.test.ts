import { pino } from "pino";
import { expect, it } from "vitest";
import { createRareWarning } from "../../src/channels/rare-warning.ts";

it("a flood of refused requests is one line a minute, which says how many there were", () => {
  const lines: object[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line) as object) });
  let now = 0;
  const warn = createRareWarning(log, "refused", () => now);
  for (let times = 0; times < 1_000; times += 1) warn();
  now = 59_999;
  warn();
  now = 60_000;
  warn();
  expect(lines).toMatchObject([
    { unsaid: 0, msg: "refused" },
    { unsaid: 1_000, msg: "refused" },
  ]);
});
