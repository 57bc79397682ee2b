import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TestGateway } from "../support/gateway.ts";

let kurisu: TestGateway;
beforeEach(async () => {
  kurisu = new TestGateway();
  await kurisu.start();
});
afterEach(() => kurisu.dispose());

describe("one", () => {
  it("works", async () => {
    await kurisu.say("你好");
    expect(kurisu.lastText()).toContain("听到了");
    await kurisu.say("poke a");
    console.log(kurisu.lastText());
    expect(kurisu.did()).toEqual([]);
    await kurisu.say("确认");
    console.log(kurisu.lastText());
    expect(kurisu.did()).toEqual(["a"]);
    expect(kurisu.faults).toEqual([]);
  });
});
