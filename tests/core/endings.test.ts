import { expect, it } from "vitest";
import { createEndings } from "../../src/core/endings.ts";

it("all end in the reverse order although one fails, its error is thrown, and a second call runs none again", async () => {
  const ended: string[] = [];
  const faults: unknown[] = [];
  const endings = createEndings((error) => faults.push(error));
  const [first, second] = [new Error("a"), new Error("b")];
  endings.add(() => ended.push("store"));
  endings.add(async () => Promise.reject(second));
  endings.add(() => {
    throw first;
  });
  endings.add(async () => ended.push("channels"));
  await expect(endings.endAll()).rejects.toBe(first);
  await expect(endings.endAll()).rejects.toBe(first);
  expect({ ended, faults }).toEqual({ ended: ["channels", "store"], faults: [first, second] });
});
