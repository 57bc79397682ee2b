import { afterEach, beforeEach, expect, it } from "vitest";
import { TestGateway } from "../support/gateway.ts";

let kurisu: TestGateway;
beforeEach(async () => {
  kurisu = new TestGateway({ isOffline: true });
  await kurisu.start();
});
afterEach(() => kurisu.dispose());

it("only an owner in private is told, once over /new and restarts, that no model is connected", async () => {
  await kurisu.say("你好", { user: "alice" });
  await kurisu.say("你好", { user: "owner", chat: "group", group: true });
  await kurisu.say("你好", { user: "mallory", chat: "group", group: true });
  expect(kurisu.channel.sent.map(({ text }) => text).join("\n")).not.toContain("OPENAI_API_KEY");
  await kurisu.say("你好", { user: "owner" });
  expect(kurisu.lastText()).toMatch(/没接真正的模型.*`\.\/kurisu setup`.*Ollama/);
  const after = kurisu.channel.sent.length;
  await kurisu.say("/new", { user: "owner" });
  await kurisu.say("你好", { user: "owner" });
  await kurisu.restart();
  await kurisu.say("你好", { user: "owner" });
  const later = kurisu.channel.sent.slice(after).map(({ text }) => text);
  expect(later.join("\n")).not.toContain("OPENAI_API_KEY");
  expect(later).toHaveLength(3);
});
