import { afterEach, beforeEach, expect, it } from "vitest";
import { TestGateway } from "../support/gateway.ts";

let kurisu: TestGateway;
beforeEach(async () => {
  kurisu = new TestGateway();
  await kurisu.start();
});
afterEach(() => kurisu.dispose());

/** The model says these one after the other. */
function answer(...texts: readonly string[]): void {
  const left = [...texts];
  kurisu.model.script = () => ({ text: left.shift() ?? "……" });
}

it.each([
  ["service voice", "今天好累啊", "收到你的问题啦，这就为你解答，请稍等片刻哦。", "那就去睡。"],
  ["another language", "今天好累啊，不想动", "Sounds like you had a long day. Get some sleep.", "那就躺着，没人催你。"],
])("a short reply in %s is rewritten before a person sees it", async (_, said, broken, mended) => {
  answer(broken, mended);
  await kurisu.say(said);
  expect(kurisu.lastText()).toBe(mended);
  expect(kurisu.model.asked).toHaveLength(2);
});

it("a second draft goes out though its tone is no better, because no sentence of it is wrong", async () => {
  const broken = "休息一下吧，需要的话我可以帮你整理明天的安排。";
  answer(broken, broken);
  await kurisu.say("今天好累啊");
  expect(kurisu.model.asked).toHaveLength(2);
  expect(kurisu.lastText()).toBe(broken);
});

it("an answer in the language that was asked for goes out as it is", async () => {
  answer("I would rather check it myself.");
  await kurisu.say("「我想自己看看」用英语怎么说");
  expect(kurisu.lastText()).toBe("I would rather check it myself.");
  expect(kurisu.model.asked).toHaveLength(1);
});
