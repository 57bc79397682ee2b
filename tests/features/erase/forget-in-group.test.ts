import { expect, it, onTestFinished } from "vitest";
import { effectRules } from "../../support/effect-tools.ts";
import type { Said } from "../../support/fake-channel.ts";
import { codeOf, TestGateway } from "../../support/gateway.ts";

const room = { chat: "room", group: true } as const;
const bob: Said = { user: "bob", ...room };

it("only the asker's approval erases the asker in a group, and the receipt tells counts in private alone", async () => {
  const kurisu = new TestGateway({ limits: { loop: 0 }, members: ["alice", "bob"], builtin: ["forget"] });
  onTestFinished(() => kurisu.dispose());
  // A rule of the operator's spares nobody the question.
  kurisu.rules.current = { ...effectRules, permissions: { ...effectRules.permissions, safe: ["forget"] } };
  await kurisu.start();
  await kurisu.say("我喜欢samovar", { user: "bob" });
  await kurisu.say("我喜欢samovar", bob);
  await kurisu.say("我喜欢paloma", { user: "alice" });
  const countTraces = async (mark: string) => {
    const rows = await kurisu.store.main.selectFrom("log_messages").select("text").execute();
    return rows.filter(({ text }) => text.includes(mark)).length;
  };
  const before = await countTraces("samovar");
  expect(before).toBeGreaterThan(1);

  await kurisu.say("/forget all", bob);
  const code = codeOf(kurisu.lastPrompt());
  expect(kurisu.lastPrompt().text).toContain("由 fake:bob 确认。");
  for (const user of ["owner", "alice"]) {
    await kurisu.say(`确认 ${code}`, { user, ...room });
    await kurisu.settle();
    expect(kurisu.channel.sent.at(-1)?.text).toBe("这件事不由你确认。\n由 fake:bob 确认。");
  }
  // Nor from their own chats: the question stands in the group.
  await kurisu.say(`确认 ${code}`, { user: "owner" });
  await kurisu.settle();
  expect(await countTraces("samovar")).toBe(before);

  await kurisu.say(`确认 ${code}`, bob);
  await kurisu.settle();
  expect(await countTraces("samovar")).toBe(0);
  const receipt = kurisu.channel.sent.at(-1);
  expect(receipt?.message.address.chat).toBe("room");
  expect(receipt?.text).toContain("我不记得你了");
  expect(receipt?.text).not.toMatch(/\d|删掉的|没有什么可删/);

  await kurisu.say("/forget all", { user: "alice" });
  await kurisu.say(`确认 ${codeOf(kurisu.lastPrompt())}`, { user: "alice" });
  await kurisu.settle();
  expect(await countTraces("paloma")).toBe(0);
  expect(kurisu.channel.sent.at(-1)?.text).toMatch(/删掉的：\n聊天里的话：\d/);
});
