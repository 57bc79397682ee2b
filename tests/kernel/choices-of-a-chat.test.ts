import { afterEach, beforeEach, expect, it } from "vitest";
import { TestGateway } from "../support/gateway.ts";

let kurisu: TestGateway;
beforeEach(async () => {
  kurisu = new TestGateway();
  await kurisu.start();
});
afterEach(() => kurisu.dispose());

it("/lang settles a chat's language over restarts, for notices and the model, until /lang auto", async () => {
  kurisu.model.script = ({ text }) => ({ text: /[a-z]{4}/i.test(text) ? "Not bad." : "……" });
  const languages = () => kurisu.model.asked.map(({ request }) => request.language);
  await kurisu.say("/lang", { user: "alice" });
  expect(kurisu.lastText()).toMatch(/^你用什么语言，我就用什么/);
  await kurisu.say("/lang English", { user: "alice" });
  expect(kurisu.lastText()).toMatch(/^All right, English here/);
  await kurisu.restart();
  await kurisu.say("你好，今天怎么样？", { user: "alice" });
  await kurisu.say("今天天气怎么样？", { user: "bob" });
  await kurisu.say("/todo", { user: "alice" });
  expect(kurisu.lastText()).not.toMatch(/\p{sc=Han}/u);
  await kurisu.say("/lang klingon", { user: "alice" });
  expect(kurisu.lastText()).toMatch(/^Usage/);
  await kurisu.say("/lang auto", { user: "alice" });
  await kurisu.say("你好，今天怎么样？", { user: "alice" });
  expect(languages()).toEqual(["en", "zh", "zh"]);
});

it("/model shows what there is, and an owner chooses what a chat asks first, of nothing but that", async () => {
  const asked = () => [kurisu.model.asked.length, kurisu.cheaper.asked.length];
  await kurisu.say("/model", { user: "alice" });
  expect(kurisu.lastText()).toBe("这里照平常的顺序，先问 scripted:one。\n▸ scripted:one\n· scripted:small");
  await kurisu.say("/model small", { user: "alice" });
  expect(kurisu.lastText()).toContain("这个命令只有管理员能用。");
  await kurisu.say("你好", { user: "alice" });
  expect(asked()).toEqual([1, 0]);

  await kurisu.say("/model openai:gpt-9", { user: "owner" });
  expect(kurisu.lastText()).toMatch(/^没有配置这个模型/);
  await kurisu.say("/model SMALL", { user: "owner" });
  expect(kurisu.lastText()).toMatch(/^这里先问 scripted:small/);
  await kurisu.restart();
  await kurisu.say("你好", { user: "owner" });
  await kurisu.say("你好", { user: "alice" });
  expect(asked(), "only in the chat that chose it").toEqual([2, 1]);

  // The owner took it out of the configuration since then.
  await kurisu.store.main.updateTable("sessions").set({ model: "scripted:gone" }).execute();
  await kurisu.say("/model", { user: "owner" });
  expect(kurisu.lastText()).toMatch(/^这里照平常的顺序，先问 scripted:one/);
  await kurisu.say("你好", { user: "owner" });
  expect(asked()).toEqual([3, 1]);
  await kurisu.say("/model small", { user: "owner" });
  await kurisu.say("/model auto", { user: "owner" });
  await kurisu.say("你好", { user: "owner" });
  expect(asked()).toEqual([4, 1]);
});
