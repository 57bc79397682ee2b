import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { codeOf, TestGateway } from "../support/gateway.ts";

let kurisu: TestGateway;
beforeEach(async () => {
  kurisu = new TestGateway();
  await kurisu.start();
});
afterEach(() => kurisu.dispose());

const sentLines = () => kurisu.channel.sent.map(({ text }) => text).filter((text) => /^[✓✗]/u.test(text));

describe("once a question is decided,", () => {
  it("its card becomes one line of what it was, where the platform can edit", async () => {
    await kurisu.say("poke a");
    await kurisu.press(kurisu.lastPrompt(), "approve");
    expect(kurisu.channel.closed.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^✓ \S+ · poke a · owner · \d\d:\d\d$/u),
    ]);
    expect(sentLines()).toEqual([]);
  });

  it.each([
    ["确认", /^✓ \S+ · poke a · owner · \d\d:\d\d$/u],
    ["取消", /^✗ \S+ · poke a · owner · \d\d:\d\d$/u],
  ])("the line is sent, once, where nothing can be edited: %s", async (word, line) => {
    Object.defineProperty(kurisu.channel, "close", { value: undefined });
    await kurisu.say("poke a");
    const prompt = kurisu.lastPrompt();
    await kurisu.say(word);
    await kurisu.say(`${word} ${codeOf(prompt)}`);
    await kurisu.press(prompt, "approve");
    expect(sentLines()).toEqual([expect.stringMatching(line)]);
  });

  it("its expiry is told with what it was, in one message", async () => {
    Object.defineProperty(kurisu.channel, "close", { value: undefined });
    await kurisu.say("poke a");
    const sent = kurisu.channel.sent.length;
    kurisu.clock.advance(700_000);
    await kurisu.say("确认");
    expect(kurisu.channel.sent).toHaveLength(sent + 1);
    expect(kurisu.lastText()).toMatch(/poke a/u);
  });
});

describe("a person who has named a time zone", () => {
  it("reads that clock in a question, on its card, in grants and in /status", async () => {
    const seen = (at: number) =>
      new Intl.DateTimeFormat("sv-SE", { timeZone: "Pacific/Kiritimati", timeStyle: "short" }).format(at);
    await kurisu.say("/reminders zone Pacific/Kiritimati");
    const at = kurisu.clock.now();
    await kurisu.say("poke a");
    expect(kurisu.lastPrompt().text).toContain(seen(at + 600_000));
    await kurisu.say("确认 30分钟");
    expect(kurisu.channel.closed.at(-1)?.text).toMatch(new RegExp(`${seen(at)}$`, "u"));
    const granted = kurisu.channel.sent.map(({ text }) => text).find((text) => text.includes(seen(at + 1_800_000)));
    expect(granted).toMatch(/G1/u);
    await kurisu.say("/grants");
    expect(kurisu.lastText()).toContain(seen(at + 1_800_000));
  });
});

describe("a question that waits for six seconds", () => {
  it("says six seconds, on the card and in /status", async () => {
    await kurisu.dispose();
    kurisu = new TestGateway({ timeoutMs: 6_000 });
    await kurisu.start();
    await kurisu.say("poke a");
    expect(kurisu.lastPrompt().text).toMatch(/6 (?:秒|seconds) ?\S*(?:（到|\(until) \d\d:\d\d:\d\d/u);
    kurisu.clock.advance(1_500);
    await kurisu.say("/status");
    expect(kurisu.lastText()).toMatch(/4 (?:秒|seconds)/u);
  });
});
