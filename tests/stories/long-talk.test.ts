import { expect, test } from "vitest";
import { openStore } from "../support/open-store.ts";
import { appendMessages } from "../../src/store/queries/messages.ts";
import { lookIntoStore } from "../support/kurisu-process/look-into-store.ts";
import { lastWords, type ModelRequest } from "../support/kurisu-process/scripted-model.ts";
import { waitUntil } from "../support/wait-until.ts";
import { owner, startTelegramStory, type TelegramStory } from "../support/kurisu-process/telegram-story.ts";

const fact = "门锁的密码是 K7-4921，我妹妹小雨对花生过敏。";

/** All that a model knows is what it is sent. */
const knows = ({ messages }: ModelRequest, word: string): boolean => JSON.stringify(messages).includes(word);
const isSummary = (request: ModelRequest): boolean => knows(request, "You write the record of a conversation");

/** What a summary was told to keep. */
function readKeep({ messages }: ModelRequest): readonly string[] {
  const [, list = ""] = JSON.stringify(messages.at(-1)?.content ?? "").split(
    String.raw`It must hold all of these, letter for letter:\n`,
  );
  const lines = list.replace(/"$/, "").split(String.raw`\n\n`)[0] ?? "";
  return lines.split(String.raw`\n`).map((line) => line.replace(/^\| /, ""));
}

/** 500 messages, the fact the tenth of them, as the turns of weeks have left them. */
async function seedTalk({ folder }: TelegramStory): Promise<void> {
  const store = await openStore(folder);
  const { id: session } = await store.main.selectFrom("sessions").select("id").executeTakeFirstOrThrow();
  const sender = { senderId: `telegram:${owner}`, senderName: "owner" };
  await store.main.transaction().execute(async (tx) => {
    for (let at = 2; at < 500; at += 2) {
      const text = at === 10 ? fact : `第 ${at} 条：实验又跑了一遍，数据和昨天差不多，先去吃饭了。`;
      const messages = [
        { role: "user", text, ...sender },
        { role: "assistant", text: "嗯，知道了。", calls: [] },
      ] as const;
      await appendMessages(tx, { session, turn: `seed_${at}`, taint: "owner", messages, now: at });
    }
  });
  await store.close();
}

test("a talk of 500 messages: kill -9 while it is summarised costs nothing, and the tenth message is remembered", async () => {
  let summaries = 0;
  const hanging = Promise.withResolvers<void>();
  const story = await startTelegramStory({
    files: { "system/models.yaml": "window:\n  tokens: 6000\n" },
    script: async (request) => {
      if (!isSummary(request)) {
        if (!lastWords(request).includes("密码")) return { content: "嗯，我在。" };
        return { content: knows(request, "K7-4921") ? "是 K7-4921。" : "我不记得了。" };
      }
      summaries += 1;
      if (summaries === 3) {
        hanging.resolve();
        return new Promise(() => undefined);
      }
      const keep = readKeep(request);
      // The first after the kill loses all its numbers; it is asked again with the list of what is missing.
      return { content: summaries === 4 ? "他们聊了实验。" : `他们聊了实验：${keep.join("；")}` };
    },
  });
  const first = await story.start();
  story.say("你好");
  await story.hear("嗯，我在。");
  await first.stop();
  await seedTalk(story);

  const second = await story.start();
  story.say("在吗");
  await story.hear("嗯，我在。");
  await hanging.promise;
  // Nobody waits for a summary.
  story.say("还在吗");
  await story.hear("嗯，我在。");
  const isOut = async () =>
    (await lookIntoStore(story.folder, "select id from outbox where state <> 'sent'")).length === 0;
  await waitUntil("the last reply", isOut);
  second.kill("SIGKILL");
  await second.ended();

  await story.start();
  await story.quiet();
  story.say("门锁的密码是多少来着？");
  await story.hear("是 K7-4921。");
  await story.quiet();
  expect(story.said()).toEqual(["嗯，我在。", "嗯，我在。", "嗯，我在。", "是 K7-4921。"]);

  const stored = (await lookIntoStore(
    story.folder,
    "select from_position, up_to, refused, model from summaries order by up_to",
  )) as readonly { from_position: number; up_to: number; refused: number; model: string | null }[];
  expect(stored.length).toBeGreaterThan(5);
  // Each begins where the one before ended, from the first message on.
  expect(stored.map((row) => row.from_position)).toEqual([0, ...stored.slice(0, -1).map((row) => row.up_to)]);
  expect(stored.map(({ refused }) => refused).filter((count) => count > 0)).toEqual([1]);
  // What nobody has asked for in a long time gets extracts; the rest a model writes.
  expect(stored[0]?.model).toBe(null);
  expect(stored.at(-1)?.model).toBe("openai:test");

  const asked = story.model.requests.findLast((request) => !isSummary(request));
  const prompt = JSON.stringify(asked?.messages);
  expect(prompt.length).toBeLessThan(40_000);
  expect(prompt).not.toContain("第 300 条");
});
