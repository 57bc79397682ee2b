import { afterEach, beforeEach, expect, it } from "vitest";
import { TestGateway } from "../support/gateway.ts";

let kurisu: TestGateway;
beforeEach(async () => {
  kurisu = new TestGateway();
  await kurisu.start();
});
afterEach(() => kurisu.dispose());

async function ask(text: string): Promise<string> {
  await kurisu.say(text, { user: "alice" });
  return kurisu.lastText();
}

it("a slash before Chinese words is a command: a Chinese name works, another one is unknown, and no model is asked", async () => {
  await ask("/remember 我对花生过敏");
  expect(await ask("/记忆")).toContain("花生");
  expect(await ask("/忘记 花生")).toMatch(/^忘掉了。/);
  expect(await ask("/记忆")).not.toContain("花生");
  for (const [chinese, english] of [
    ["/帮助", "/help"],
    ["/状态", "/status"],
    ["/人格", "/persona"],
    ["/提醒", "/reminders"],
  ] as const)
    expect(await ask(chinese)).toBe(await ask(english));
  expect(await ask("/忘掉 花生")).toBe("没有 /忘掉 这个命令，/help all 里有全部。");
  expect(await ask("/忘记花生")).toBe("没有 /忘记花生 这个命令，/help all 里有全部。");
  expect(kurisu.model.asked).toEqual([]);
});

it("a path with Chinese folders is no command", async () => {
  kurisu.model.script = () => ({ text: "看过了。" });
  expect(await ask("/工作/笔记 里有什么")).toBe("看过了。");
});
