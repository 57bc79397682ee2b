import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { TestGateway } from "../support/gateway.ts";
import { readPersona } from "../support/read-persona.ts";

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

it("/persona takes the id or the name of any language, default is the persona of that id, and auto is the usual one", async () => {
  const of = (id: string) => readPersona(join(import.meta.dirname, "../../config/personas", id));
  const personas = { persona: of("kurisu"), personas: [of("default"), of("kurisu")] };
  await kurisu.dispose();
  kurisu = new TestGateway({ personas: () => personas });
  await kurisu.start();
  await kurisu.say("/lang zh", { user: "owner" });
  const choose = async (wanted: string) => {
    await kurisu.say(`/persona ${wanted}`, { user: "owner" });
    return kurisu.lastText();
  };
  const neutral = /^从下一句起，这里说话的是助手（default）。\/persona auto 换回来。$/;
  const usual = /^从下一句起，这里说话的是牧濑红莉栖（kurisu）/;
  expect(await choose("default")).toMatch(neutral);
  await kurisu.restart();
  await kurisu.say("/persona", { user: "owner" });
  expect(kurisu.lastText()).toMatch(/^这里说话的是助手（default）。\n▸ default　助手\n· kurisu/);
  expect(await choose("auto")).toMatch(usual);
  // A nickname of hers is also 助手, but the name of a persona counts first.
  for (const name of ["助手", "assistant", "アシスタント"]) expect(await choose(name)).toMatch(neutral);
  for (const name of ["牧濑红莉栖", "Makise Kurisu", "克里斯"]) expect(await choose(name)).toMatch(usual);
  expect(await choose("mira")).toMatch(/^没有这个人格/);
});
