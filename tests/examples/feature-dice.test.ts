import { afterEach, beforeEach, expect, it } from "vitest";
import { dice } from "../../examples/feature-dice/dice.ts";
import { TestGateway } from "../support/gateway.ts";

let kurisu: TestGateway;

beforeEach(async () => {
  kurisu = new TestGateway({ features: [dice] });
  await kurisu.start();
});
afterEach(() => kurisu.dispose());

async function answerTo(text: string): Promise<string> {
  await kurisu.say(text);
  return kurisu.lastText();
}

it("/dice rolls what it is told to, and its sum is right", async () => {
  const rolled = /^2d6：([1-6]) \+ ([1-6]) = (\d+)$/;
  const answer = await answerTo("/dice 2d6");
  expect(answer).toMatch(rolled);
  const [, one, other, sum] = rolled.exec(answer) ?? [];
  expect(Number(one) + Number(other)).toBe(Number(sum));
  expect(await answerTo("/dice")).toMatch(/^1d6：[1-6]$/);
  expect(await answerTo("/dice d20")).toMatch(/^d20：(?:1?\d|20)$/);
  expect(kurisu.model.asked).toEqual([]);
});

it.each(["/dice 21d6", "/dice 0d6", "/dice 2d1", "/dice two"])("%s is answered with how to use it", async (text) => {
  expect(await answerTo(text)).toMatch(/^用法：/);
});

it("the command speaks the language of the chat and is listed in /help", async () => {
  expect(await answerTo("/help all")).toContain("/dice   掷骰子");
  await kurisu.say("/lang en");
  expect(await answerTo("/dice two")).toMatch(/^Usage: /);
  expect(await answerTo("/help all")).toContain("/dice   roll dice");
  await kurisu.say("/lang ja");
  expect(await answerTo("/dice two")).toMatch(/^使い方：/);
});
