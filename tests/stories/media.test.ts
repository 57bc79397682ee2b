import { describe, expect, test } from "vitest";
import { lastWords } from "../support/kurisu-process/scripted-model.ts";
import { owner, startTelegramStory } from "../support/kurisu-process/telegram-story.ts";
import type { ModelRequest } from "../support/kurisu-process/scripted-model.ts";

/** Enough of a PNG to be known as one; what follows is told apart by its last bytes. */
const png = (mark: string) => Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.from(mark)]);

/** The pictures of the newest message of a person, as bytes. */
function picturesOf(request: ModelRequest): readonly Buffer[] {
  const content: unknown = request.messages.findLast(({ role }) => role === "user")?.content;
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: { image_url?: { url: string } }) =>
    part.image_url === undefined
      ? []
      : [Buffer.from(part.image_url.url.replace(/^data:image\/png;base64,/, ""), "base64")],
  );
}

/** A model that really looks: it says what stands at the end of each picture. */
const look = (request: ModelRequest) => {
  const seen = picturesOf(request).map((picture) => picture.subarray(8).toString());
  return seen.length === 0 ? undefined : { content: `我看到了${seen.join("和")}。` };
};

describe("pictures", () => {
  test("reach a model that sees, one alone, one that is replied to, and an album as one turn", async () => {
    const story = await startTelegramStory({ script: look });
    await story.start();
    const { messageId } = story.sendFile({ content: png("一只猫"), field: "photo", caption: "这是什么？" });
    await story.hear("我看到了一只猫。");
    story.say("在吗");
    await story.hear("嗯，我在听。");
    story.say("再看一眼", { replyTo: messageId });
    await story.hear("我看到了一只猫。");
    const asked = story.model.requests.length;
    story.fake.sendAlbum([
      { chat: owner, content: png("一条狗"), field: "photo", caption: "都看看" },
      { chat: owner, content: png("一只鸟"), field: "photo" },
      { chat: owner, content: png("一条鱼"), field: "photo" },
    ]);
    await story.hear("我看到了一条狗和一只鸟和一条鱼。");
    await story.quiet();
    expect(story.model.requests).toHaveLength(asked + 1);
    const [request] = story.model.requests.slice(-1);
    expect(request && lastWords(request)).toMatch(/^都看看\n\n(?:\[图片: 已存到工作区 inbox\/.*\]\n?){3}$/);
  });

  test("of an album are all there after kill -9 in the middle of it, in one turn", async () => {
    const story = await startTelegramStory({ script: look });
    const kurisu = await story.start();
    story.fake.sendAlbum([
      { chat: owner, content: png("一条狗"), field: "photo", caption: "都看看" },
      { chat: owner, content: png("一只鸟"), field: "photo" },
    ]);
    await story.fake.waitFor(() => story.fake.pendingUpdates().length === 0, "the album to be stored");
    await kurisu.crash();
    await story.start();
    await story.hear("我看到了一条狗和一只鸟。");
    await story.quiet();
    expect(story.model.requests.filter((request) => picturesOf(request).length > 0)).toHaveLength(1);
  });
});
