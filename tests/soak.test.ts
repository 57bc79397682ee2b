// full: kills the program over and over
import { expect, test } from "vitest";
import { isKept, soak } from "../bench/soak.ts";

const full = process.env["KURISU_TEST_FULL"] === "1";
/** A webhook differs from polling in how updates come: tests/channels/telegram/webhook has each way in which they may be lost. */
const kinds = ["telegram-polling", "onebot", "qq", ...(full ? (["telegram-webhook"] as const) : [])] as const;

// The whole of it: npm run bench soak.
test.each(kinds)(
  "a little soak of %s: faults, drops and kill -9, and nothing is lost, doubled or out of order",
  async (kind) => {
    const figures = await soak(kind, "small");
    expect(figures).toMatchObject({ lost: 0, doubled: 0, reordered: 0 });
    expect(isKept(figures)).toBe(true);
    expect(new Set(figures.recoveries.map(({ what }) => what)).size).toBeGreaterThan(2);
    expect(figures.faults).toBeGreaterThan(0);
    expect(figures.repeats).toBeGreaterThan(0);
  },
);
