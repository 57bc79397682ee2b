import { createHash, randomBytes } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { dockerIsThere } from "../support/docker.ts";
import { fileScript } from "../support/kurisu-process/file-script.ts";
import { shareTelegramStory, type StoryChapter } from "../support/kurisu-process/share-telegram-story.ts";
import type { TelegramStory } from "../support/kurisu-process/telegram-story.ts";
import { lastWords } from "../support/kurisu-process/scripted-model.ts";
import { waitUntil } from "../support/wait-until.ts";

const called = (words: string) => `@kurisu_test_bot ${words}`;
const notes = Buffer.from("明天十二点，老地方见。\n");
const sent = "文件发过去了。";

const begin = shareTelegramStory();

/** Opens a group and puts a file into its workspace. */
async function fillGroup(story: StoryChapter) {
  const { group: chat, owner } = story;
  const asOwner = { chat, from: { id: owner, name: "冈部" } };
  story.say("/pair@kurisu_test_bot", asOwner);
  await story.hear(/这个群开启了/, { chat });
  story.sendFile({ ...asOwner, content: notes, name: "notes.txt", caption: called("收好") });
  await story.hear(/inbox\/notes\.txt/, { chat });
  return { asOwner, asHong: { chat, from: { id: 99, name: "小红" } } };
}

/** Host paths of what stands in the inboxes, by name. */
function inbox({ folder }: TelegramStory): ReadonlyMap<string, string> {
  const root = join(folder.home, "workspaces");
  const folders = folder.workspaces().map((name) => join(root, name, "inbox"));
  return new Map(folders.flatMap((path) => readdirSync(path).map((name) => [name, join(path, name)] as const)));
}

const documents = ({ fake }: TelegramStory, chat: number) =>
  fake.botMessages(chat).flatMap(({ document }) => (document ? [document] : []));

const kept = ({ folder }: TelegramStory) => readdirSync(join(folder.home, "outgoing"));

describe("a file that a person sends", () => {
  test("a file is in the workspace, and the model is told where, what and how large it is", async () => {
    const story = begin(fileScript);
    story.sendFile({ content: notes, name: "notes.txt", mimeType: "text/plain", caption: "读一下" });
    await story.hear("上面写着：明天十二点，老地方见。");
    const [request] = story.model.requests;
    expect(request && lastWords(request)).toBe(
      `读一下\n\n[文件 notes.txt: 已存到工作区 inbox/notes.txt（text/plain，${notes.length} B）]`,
    );
    story.sendFile({ content: Buffer.from("jpeg"), field: "photo" });
    await story.hear(/\[图片: 已存到工作区 inbox\/file_1\.dat（application\/octet-stream，4 B）\]/);
    story.sendFile({ content: Buffer.from("ogg"), field: "voice", mimeType: "audio/ogg", extra: { text: undefined } });
    await story.hear(/听不了：没有配置语音听写（TRANSCRIBE_BASE_URL）。文件在 inbox\/file_2\.dat，/);
    await story.quiet();
  });

  test("a file can be larger than what the file tools read at once", async () => {
    const story = begin(fileScript);
    const content = randomBytes(12 * 1024 ** 2);
    story.sendFile({ content, name: "large.bin", caption: "收好" });
    await story.hear(/inbox\/large\.bin（application\/octet-stream，12 MB）/);
    story.say("发文件 inbox/large.bin");
    await story.hear(sent);
    // Not by the matcher, which looks at every byte by itself.
    const [got, ...more] = documents(story, story.owner);
    expect([got?.name, got?.content.equals(content), more]).toEqual(["large.bin", true, []]);
  });

  test("keeps a readable name, whatever stands in it, and never takes the place of another", async () => {
    const story = begin(fileScript);
    const names = ["../../../etc/passwd", "CON.txt", `${"很长的中文名".repeat(20)}.pdf`, "照\u202Egpj.exe", ".bashrc"];
    for (const name of [...names, "notes.txt", "notes.txt"]) {
      story.sendFile({ content: randomBytes(8), name, caption: "收好" });
      await story.hear(/已存到工作区 inbox\//);
    }
    const found = [...inbox(story).keys()].toSorted();
    expect(found).toEqual(
      [
        "_._._etc_passwd",
        "_CON.txt",
        `${"很长的中文名".repeat(20).slice(0, 65)}.pdf`,
        "照gpj.exe",
        "bashrc",
        "notes.txt",
        "notes (2).txt",
      ].toSorted(),
    );
  });

  test("a file that is too large or gone is told in words, and the turn goes on", async () => {
    const story = begin(fileScript);
    const before = [...story.fake.downloads];
    story.sendFile({ content: Buffer.alloc(25 * 1024 ** 2), name: "big.zip", caption: "收好" });
    await story.hear(/\[文件 big\.zip: 没能取到：超过 20 MB 的上限\]/);
    // The server knows better than the message.
    story.sendFile({ content: Buffer.alloc(25 * 1024 ** 2), name: "big.zip", claimedBytes: 9, caption: "收好" });
    await story.hear(/\[文件 big\.zip: 没能取到：超过 20 MB 的上限\]/);
    expect(story.fake.downloads).toEqual(before);
    story.fake.failDownload({ status: 404 });
    story.sendFile({ content: notes, name: "notes.txt", caption: "收好" });
    await story.hear(/\[文件 notes\.txt: 没能取到：HTTP 404\]/);
    expect(story.folder.workspaces()).toEqual([]);
  });

  test("a file is fetched again after kill -9, and is stored once", async () => {
    const story = begin(fileScript);
    const never = Promise.withResolvers<void>();
    const before = story.fake.downloads.length;
    story.fake.failDownload({ until: never.promise });
    story.sendFile({ content: notes, name: "notes.txt", caption: "读一下" });
    await story.fake.waitFor(() => story.fake.downloads.length > before, "the download");
    await story.kurisu.crash();
    never.resolve();
    await story.start();
    await story.hear("上面写着：明天十二点，老地方见。");
    await story.quiet();
    expect([...inbox(story).keys()]).toEqual(["notes.txt"]);
    expect(story.model.requests.filter((request) => /读一下/.test(lastWords(request)))).toHaveLength(2);
  });

  test("a file in a group is not fetched when it is not addressed to her", async () => {
    const story = begin(fileScript);
    const { group } = story;
    const { asOwner, asHong } = await fillGroup(story);
    const before = story.fake.callsOf("getFile").length;
    story.sendFile({ ...asHong, content: Buffer.from("x"), name: "other.txt", caption: "大家看" });
    story.say(called("在吗"), asOwner);
    await story.hear("嗯，我在听。", { chat: group });
    await story.quiet();
    expect(story.fake.callsOf("getFile")).toHaveLength(before);
    expect([...inbox(story).keys()]).toEqual(["notes.txt"]);
  });

  test.runIf(dockerIsThere())("the shell sees the file, too, and can change it", async () => {
    const story = begin(fileScript);
    story.sendFile({ content: notes, name: "notes.txt", caption: "收好" });
    await story.hear(/inbox\/notes\.txt/);
    story.say("运行 cp inbox/notes.txt seen.txt && echo 改过 >> inbox/notes.txt");
    const card = await story.hearQuestion();
    story.say(`确认 ${card.code}`);
    await story.hear("好了，我看过结果了。");
    expect(story.folder.workspaceLines("seen.txt")).toEqual([notes.toString().trim()]);
    expect(story.folder.workspaceLines("inbox/notes.txt")).toEqual([notes.toString().trim(), "改过"]);
  });
});

describe("a file that she sends", () => {
  test("goes to the owner's own chat without a question, byte for byte, and is kept no longer", async () => {
    const story = begin(fileScript);
    const content = randomBytes(200_000);
    story.sendFile({ content, name: "图.bin", caption: "收好" });
    await story.hear(/inbox\/图\.bin/);
    story.say("发文件 inbox/图.bin");
    await story.hear(sent);
    expect(documents(story, story.owner)).toEqual([{ name: "图.bin", content }]);
    await story.quiet();
    expect(kept(story)).toEqual([]);
    story.say("发文件 inbox/没有.txt");
    await story.hear(/没发成：There is no "inbox\/没有\.txt"/);
  });

  test("a file in a group waits for the asker's approval, and the question shows what goes where", async () => {
    const story = begin(fileScript);
    const { group } = story;
    const { asOwner, asHong } = await fillGroup(story);
    story.say(called("发文件 inbox/notes.txt"), asOwner);
    const card = await story.hearQuestion(group);
    const digest = createHash("sha256").update(notes).digest("hex").slice(0, 16);
    expect(card.text).toContain(`inbox/notes.txt\n${notes.length} B (${notes.length} B), SHA-256 ${digest}\n→ 本群`);
    story.say(`确认 ${card.code}`, asHong);
    await story.hear(/得 冈部 本人来答复/, { chat: group });
    expect(documents(story, group)).toEqual([]);
    story.say(`确认 ${card.code}`, asOwner);
    await story.hear(sent, { chat: group });
    expect(documents(story, group)).toEqual([{ name: "notes.txt", content: notes }]);
    await story.quiet();
    expect(kept(story)).toEqual([]);
  });

  test("a file stays the same after kill -9 before its approval, and is not sent when it has changed by then", async () => {
    const story = begin(fileScript);
    const { group } = story;
    const { asOwner } = await fillGroup(story);
    story.say(called("发文件 inbox/notes.txt"), asOwner);
    const card = await story.hearQuestion(group);
    await story.kurisu.crash();
    await story.start();
    story.say(`确认 ${card.code}`, asOwner);
    await story.hear(sent, { chat: group });
    expect(documents(story, group)).toEqual([{ name: "notes.txt", content: notes }]);

    story.say(called("发文件 inbox/notes.txt"), asOwner);
    const next = await story.hearQuestion(group);
    writeFileSync(inbox(story).get("notes.txt") ?? "", "换掉了");
    story.say(`确认 ${next.code}`, asOwner);
    await story.hear(/没发成：.*has changed since it was asked for/, { chat: group });
    await story.quiet();
    expect(documents(story, group)).toHaveLength(1);
  });

  test("a file is sent as approved, also when the chat takes it only later and after kill -9", async () => {
    const story = begin(fileScript);
    story.sendFile({ content: notes, name: "notes.txt", caption: "收好" });
    await story.hear(/inbox\/notes\.txt/);
    story.fake.failNext("sendDocument", { kind: "answer", status: 429, parameters: { retry_after: 4 } });
    story.say("发文件 inbox/notes.txt");
    await story.fake.waitForCall(({ method, status }) => method === "sendDocument" && status === 429);
    await waitUntil("the copy", async () => kept(story).length === 1);
    expect(readFileSync(join(story.folder.home, "outgoing", kept(story)[0] ?? ""))).toEqual(notes);
    await story.kurisu.crash();
    writeFileSync(inbox(story).get("notes.txt") ?? "", "换掉了");
    await story.start();
    await story.fake.waitFor(() => documents(story, story.owner).length === 1, "the file");
    await story.hear(sent);
    await story.quiet();
    expect(documents(story, story.owner)).toEqual([{ name: "notes.txt", content: notes }]);
    expect(kept(story)).toEqual([]);
  });

  test("a file that the chat refuses is told to the model, and the chat goes on", async () => {
    const story = begin(fileScript);
    story.sendFile({ content: notes, name: "notes.txt", caption: "收好" });
    await story.hear(/inbox\/notes\.txt/);
    const description = "Bad Request: not enough rights to send documents to the chat";
    story.fake.failNext("sendDocument", { kind: "answer", status: 400, description });
    story.say("发文件 inbox/notes.txt");
    await story.hear(/没发成：The chat did not take it: .*not enough rights/);
    await story.quiet();
    expect(kept(story)).toEqual([]);
  });
});
