/* The disk of a group: guests write nothing to it, and nobody but an owner more than a share. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Attachment } from "../../src/channels/attachment.ts";
import { fitInto } from "../support/fit-results.ts";
import { agentOf, testAgents } from "../support/send-agents.ts";
import { TestGateway } from "../support/gateway.ts";

const club = { group: true, chat: "club" } as const;
const file = (id: string): Attachment => ({ kind: "file", name: `${id}.bin`, source: { id } });

let kurisu: TestGateway;
beforeEach(async () => {
  kurisu = new TestGateway({ members: ["alice", "bob"], agents: testAgents, window: { tokens: 3_000, messages: 200 } });
  kurisu.model.script = () => ({ text: "收到。" });
  await kurisu.start();
  await kurisu.say("/pair", { user: "owner", ...club });
});
afterEach(() => kurisu.dispose());

/** The last time a model was asked for an answer, not for a summary. */
const lastAsked = () =>
  kurisu.model.asked.findLast(({ request }) => !request.messages[0]?.text.includes("You write the record"));
const told = () => lastAsked()?.text ?? "";
const folder = () => kurisu.workspace.folderFor("fake:bot:club");
const send = (user: string, id: string, place: object = club) =>
  kurisu.say("看看", { user, ...place, attachments: [file(id)] });
const keep = (id: string, bytes: number) =>
  kurisu.channel.files.set(id, { kind: "fetched", content: Buffer.alloc(bytes, 1) });

describe("files that are sent in a group", () => {
  it("a guest's files are not fetched and leave nothing on the disk, and the model is told why", async () => {
    keep("a", 10);
    await send("stranger", "a");
    expect(told()).toContain("访客在群里发的文件不保存");
    expect(kurisu.channel.fetched).toEqual([]);
    expect(existsSync(join(await folder(), "inbox"))).toBe(false);
  });

  it("one member's files take a quarter of the limit at most and leave the room of the others", async () => {
    keep("a", 90_000).set("b", { kind: "fetched", content: Buffer.alloc(90_000, 2) });
    keep("c", 90_000);
    await send("alice", "a");
    await send("alice", "b");
    expect(told()).toMatch(/inbox\/[0-9a-f]{8}\/b\.bin/);
    await send("alice", "c");
    expect(told()).toContain("这个人在本群的空间（244 KB）用完了");
    await send("bob", "c");
    expect(told()).toMatch(/inbox\/[0-9a-f]{8}\/c\.bin/);
    await send("owner", "c");
    expect(told()).toContain("inbox/c.bin");
    const inbox = join(await folder(), "inbox");
    const folders = readdirSync(inbox).filter((name) => /^[0-9a-f]{8}$/.test(name));
    const kept = folders.map((name) => readdirSync(join(inbox, name)).toSorted().join(" "));
    expect(kept.toSorted()).toEqual(["a.bin b.bin", "c.bin"]);
    // What is deleted is free again.
    for (const name of folders) await rm(join(inbox, name, "a.bin"), { force: true });
    await send("alice", "c");
    expect(told()).toMatch(/inbox\/[0-9a-f]{8}\/c\.bin/);
  });

  it("files in a private chat go to the inbox itself", async () => {
    for (const id of ["a", "b", "c", "d"]) keep(id, 90_000);
    for (const id of ["a", "b", "c", "d"]) await send("alice", id, {});
    expect(told()).toContain("inbox/d.bin");
  });
});

it("a long result or a picture of a guest's call is not kept on the disk", async () => {
  const fit = fitInto(kurisu.workspace, 1_000);
  const place = { session: "fake:bot:club", turn: "t", call: "0.0", taint: "user", now: 0 } as const;
  const context = { ...place, chatKind: "group" } as const;
  const guest = { id: "fake:stranger", name: "x", role: "guest" } as const;
  const long = await fit({ ok: true, output: { page: "长".repeat(5_000) } }, { ...context, person: guest });
  expect(JSON.stringify(long)).toContain("it could not be kept");
  const part = { type: "image", mimeType: "image/png", data: Buffer.from("x").toString("base64") } as const;
  expect(await fit({ ok: true, output: null, parts: [part] }, { ...context, person: guest })).toMatchObject({
    ok: false,
  });
  expect(existsSync(join(await folder(), "results"))).toBe(false);
  const member = { ...guest, role: "member" } as const;
  await fit({ ok: true, output: { page: "长".repeat(5_000) } }, { ...context, person: member });
  expect(readdirSync(join(await folder(), "results"))).toHaveLength(1);
});

describe("long results in a group", () => {
  const said = (user: string) => ({ user, ...club });
  const results = async () => join(await folder(), "results");
  /** Answers "去看" with a call whose result is this long, and all else with a word. */
  const look = (characters: number): void => {
    kurisu.onRun = () => ({ ok: true, output: `头${"长".repeat(characters)}尾` });
    kurisu.model.script = ({ results: known, text }) =>
      text.endsWith("去看") && known.length === 0
        ? { calls: [{ name: "peek", arguments: { what: "x" } }] }
        : { text: "好。" };
  };

  it("a member's long results count together with the files that they send", async () => {
    look(60_000);
    keep("a", 90_000).set("b", { kind: "fetched", content: Buffer.alloc(60_000, 2) });
    await kurisu.say("去看", said("alice"));
    const [tag = ""] = readdirSync(await results());
    expect(tag).toMatch(/^[0-9a-f]{8}$/);
    await send("alice", "a");
    expect(told()).toContain("这个人在本群的空间（244 KB）用完了");
    await send("alice", "b");
    expect(told()).toContain(`inbox/${tag}/b.bin`);
    await kurisu.say("再去看", said("alice"));
    expect(lastAsked()?.results.at(-1)).toContain("it could not be kept");
    await kurisu.say("去看", said("bob"));
    expect(lastAsked()?.results.at(-1)).toMatch(/whole in results\/[0-9a-f]{8}\//);
    await kurisu.say("去看", said("owner"));
    expect(lastAsked()?.results.at(-1)).toMatch(/whole in results\/\w+-/);
  });

  it("long results of a member's sub-agent count in the member's share, too", async () => {
    const report = `头${"长".repeat(20_000)}尾`;
    kurisu.model.script = (view) => {
      if (agentOf(view) !== undefined) return { text: report };
      const calls = [{ name: "task", arguments: { agent_name: "worker", description: "写" } }];
      return view.results.length === 0 ? { calls } : { text: "好。" };
    };
    await kurisu.say("派一个", said("alice"));
    expect(lastAsked()?.results.at(-1)).toMatch(/whole in results\/[0-9a-f]{8}\/\S+-report\.txt/);
    const [tag = ""] = readdirSync(await results());
    expect(readFileSync(join(await results(), tag, readdirSync(join(await results(), tag))[0] ?? ""), "utf8")).toBe(
      report,
    );
  });

  it("a guest's long results are cut and not kept, now and when they have become old", async () => {
    look(660);
    for (let at = 0; at < 7; at += 1) await kurisu.say("去看", said("stranger"));
    const prompt = lastAsked()
      ?.request.messages.map(({ text }) => text)
      .join("\n");
    expect(prompt).toMatch(/\d+ characters in all; the rest is gone: Pictures and files are not kept for guests/);
    look(60_000);
    await kurisu.say("去看", said("stranger"));
    expect(lastAsked()?.results.at(-1)).toContain("it could not be kept");
    expect(existsSync(await results())).toBe(false);
  });
});
