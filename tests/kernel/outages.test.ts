import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AppError, type ErrorCode } from "../../src/core/errors.ts";
import { TestGateway } from "../support/gateway.ts";

let kurisu: TestGateway;
beforeEach(async () => {
  kurisu = new TestGateway();
  await kurisu.start();
});
afterEach(() => kurisu.dispose());

function failWith(code: ErrorCode): void {
  kurisu.model.script = () => {
    throw new AppError(code, "No model answered. openai:one: sk-secret-0123456789abcdef");
  };
}

const promise = /留着|记着|恢复了就回|稍后会回复|kept and|will be answered|預かったから/;

describe.each([
  ["MODEL_UNAVAILABLE", /连不上/, /cannot be reached/, /つながらない/],
  ["MODEL_LIMITED", /限流（429）/, /too often \(429\)/, /回数制限（429）/],
  ["MODEL_REFUSED_KEY", /密钥被拒（401）/, /key was refused \(401\)/, /キーが拒否された（401）/],
  ["MODEL_NO_CREDIT", /余额/, /credit/, /残高/],
  ["MODEL_NOT_FOUND", /没有这个模型/, /no such model/, /そのモデルはない/],
] as const)("%s", (code, zh, en, ja) => {
  it("an owner learns the true cause in private, in three languages, and gets no promise", async () => {
    failWith(code);
    for (const [text, cause] of [
      ["在吗", zh],
      ["are you there", en],
      ["いますか", ja],
    ] as const) {
      await kurisu.say(text, { user: "owner" });
      expect(kurisu.lastText()).toMatch(cause);
      expect(kurisu.lastText().replace(/也没有留着|我也没有留着/g, "")).not.toMatch(promise);
      expect(kurisu.lastText()).not.toContain("sk-secret");
    }
    expect(kurisu.faults.splice(0)).not.toEqual([]);
  });
});

describe("a refused key", () => {
  it("other people are told to come later, and owners hear of a refused key once in private", async () => {
    await kurisu.say("你好", { user: "owner" });
    failWith("MODEL_REFUSED_KEY");
    const before = kurisu.channel.sent.length;
    await kurisu.say("在吗", { user: "alice" });
    await kurisu.say("在吗", { user: "alice" });
    await kurisu.say("在吗", { user: "owner", chat: "group", group: true });
    const sent = kurisu.channel.sent
      .slice(before)
      .map(({ message }) => ({ to: message.address.chat, text: message.text }));
    const others = sent.filter(({ to }) => to !== "owner").map(({ text }) => text);
    expect(others).toHaveLength(3);
    expect(others.join("\n")).not.toMatch(/密钥|401|KEY/);
    const told = sent.filter(({ to }) => to === "owner");
    expect(told).toHaveLength(1);
    expect(told[0]?.text).toMatch(/有人找我.*密钥被拒（401）/);
    expect(kurisu.faults.splice(0)).not.toEqual([]);
  });
});

describe("the model is told its limits", () => {
  it("names abilities without a tool, and no more once the tool is there", async () => {
    await kurisu.say("记住我喜欢猫");
    const [system] = kurisu.model.asked.at(-1)?.request.messages ?? [];
    expect(system?.text).toMatch(/cannot do these yet.*remembering.*reminding/);
  });

  it("says to a guest what is not theirs, before what is off", async () => {
    await kurisu.say("poke a", { user: "mallory", chat: "group", group: true });
    const { context, tools } = kurisu.model.asked.at(-1) ?? { context: "", tools: [] };
    expect(tools).not.toContain("poke");
    expect(context).toMatch(/not for this person: .*poke.*\(a guest; an owner has to let them in first\)/);
  });
});
