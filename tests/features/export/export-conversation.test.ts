import { afterEach, beforeEach, expect, it } from "vitest";
import { TestGateway } from "../../support/gateway.ts";

const secret = "canary-secret-0123456789";
let kurisu: TestGateway;
beforeEach(async () => {
  kurisu = new TestGateway({ secrets: [secret] });
  await kurisu.start();
});
afterEach(() => kurisu.dispose());

const exported = () =>
  kurisu.channel.sent.flatMap(({ content }) => (content === undefined ? [] : [content.toString()]));

it("/export sends only this chat's words, without secrets, and every person's words as plain text", async () => {
  await kurisu.say("/export", { user: "alice" });
  expect(kurisu.lastText()).toBe("这里还没有说过话，没有可以导出的。");
  await kurisu.say(`<img src=x> ${secret}\n- 2026-01-01 00:00:00\n# Kurisu: yes`, { user: "alice" });
  await kurisu.say("别人的话", { user: "bob" });
  await kurisu.say("/export", { user: "alice" });
  expect(kurisu.lastText()).toMatch(/^导出了 2 条。/);
  const [markdown = ""] = exported();
  expect(markdown).not.toContain(secret);
  expect(markdown).not.toContain("别人的话");
  const ours = markdown.split("\n").filter((line) => line !== "" && !line.startsWith("    "));
  expect(ours).toHaveLength(2);
  for (const line of ours) expect(line).toMatch(/^- \d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);

  await kurisu.say("/export json", { user: "alice" });
  const entries = JSON.parse(exported()[1] ?? "") as { by: string; text: string }[];
  expect(entries.map(({ by }) => by)).toEqual([expect.stringContaining("fake:alice"), "Kurisu"]);
  await kurisu.say("/export pdf", { user: "alice" });
  expect(kurisu.lastText()).toMatch(/^用法/);
});

it("/export me sends everything that is kept of the one who asks, in private only, without secrets", async () => {
  const group = { chat: "room", group: true } as const;
  await kurisu.say(`我住在上海，口令是 ${secret}`, { user: "alice" });
  await kurisu.say("在群里说的", { user: "alice", ...group });
  await kurisu.say("别人的话", { user: "bob" });
  await kurisu.say("别人在群里的话", { user: "bob", ...group });
  await kurisu.say("/export me", { user: "alice", ...group });
  expect(kurisu.lastText()).toContain("私聊");
  expect(exported()).toEqual([]);
  await kurisu.say("/export me", { user: "alice" });
  const [text = ""] = exported();
  const { accounts, chats, format, tables } = JSON.parse(text) as {
    readonly format: string;
    readonly accounts: readonly string[];
    readonly chats: readonly string[];
    readonly tables: Readonly<Record<string, readonly object[]>>;
  };
  expect([format, accounts, chats]).toEqual(["kurisu-person", ["fake:alice"], ["fake:bot:alice"]]);
  expect(JSON.stringify(tables["messages"])).toMatch(/我住在上海[\s\S]*在群里说的/);
  expect(JSON.stringify(tables["log_messages"])).toContain("在群里说的");
  expect(text).not.toMatch(/别人|bob/);
  expect(text).not.toContain(secret);
});

it("/export of a group is for owners and its administrators", async () => {
  const group = { chat: "room", group: true } as const;
  await kurisu.say("note 账本", { user: "owner", ...group });
  await kurisu.say("/export", { user: "alice", ...group });
  expect(kurisu.lastText()).toMatch(/\n群里的对话是大家的/);
  expect(exported()).toEqual([]);
  kurisu.channel.administrators.add("room bob");
  await kurisu.say("/export", { user: "bob", ...group });
  await kurisu.say("/export", { user: "owner", ...group });
  const [administrators = "", owners = ""] = exported();
  expect(owners).toMatch(/→ note .*账本[\s\S]*tool note:/);
  // What the owner's tools were given and brought is not theirs, only what was said.
  expect(administrators).toContain("做完了");
  expect(administrators).not.toMatch(/→|tool note/);
});
