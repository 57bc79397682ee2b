import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { lastWords } from "../support/kurisu-process/scripted-model.ts";
import { startOneBotStory } from "../support/kurisu-process/onebot-story.ts";
import { owner, startTelegramStory, type TelegramStory } from "../support/kurisu-process/telegram-story.ts";
import { listen, soundKey, speak, startSoundServer } from "../support/models/sound-server.ts";
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
});

const voice = (words: string) =>
  ({ content: speak(words), field: "voice", mimeType: "audio/ogg", extra: { text: undefined } }) as const;

describe("a voice message", () => {
  test("a voice message is answered by its words and never approves anything", async () => {
    const server = await startSoundServer();
    const story = await startTelegramStory({ environment: server.environment });
    await story.start();
    story.sendFile(voice("几点了"));
    await story.hear("好了，我看过结果了。");
    const [request] = story.model.requests;
    expect(request && lastWords(request)).toMatch(/^🎤 几点了\n\n\[语音: 已存到工作区 inbox\/\S+（audio\/ogg，/);
    expect(server.heard).toEqual([speak("几点了")]);

    story.say("运行 echo hello");
    const card = await story.hearQuestion();
    const asked = story.model.requests.length;
    for (const words of ["确认", `确认 ${card.code}`, "取消"]) {
      story.sendFile(voice(words));
      await story.hear("语音不算答复，请打字。");
    }
    // Other words, spoken while a question waits, are ordinary talk.
    story.sendFile(voice("你在干什么"));
    await story.hear("嗯，我在听。");
    expect(story.model.requests).toHaveLength(asked + 1);
    story.say("取消");
    await story.hear(/好吧，那就不做了。/);
    await story.quiet();
    expect(server.refused).toEqual([]);
    expect(story.said().join()).not.toContain(soundKey);
  });

  test("an inaudible voice message gets one line and its file stays, and she does not speak without an endpoint either", async () => {
    const story = await startTelegramStory();
    const kurisu = await story.start();
    story.sendFile(voice("几点了"));
    await story.hear(
      /^这条语音我听不了：没有配置语音听写（TRANSCRIBE_BASE_URL）。文件在 inbox\/\S+，要紧的话打字告诉我。$/,
    );
    expect(story.model.requests).toEqual([]);
    // Nor does she speak without an endpoint, and says so.
    story.say("/voice on");
    await story.hear("没有配置语音合成（SPEECH_BASE_URL），我说不出来。");
    story.say("/voice loud");
    await story.hear("用法：/voice on、/voice off、/voice auto。");
    expect(story.fake.callsOf("sendVoice")).toEqual([]);
    expect((await kurisu.stop()).code).toBe(0);

    const server = await startSoundServer();
    await story.start({ environment: server.environment });
    story.sendFile({ ...voice(""), content: Buffer.from("\x02#!SILK_V3 …") });
    await story.hear(/听写服务不认这种格式/);
    for (const mood of ["failing", "nonsense"] as const) {
      server.be(mood);
      story.sendFile(voice("几点了"));
      await story.hear(/听写服务没有答上来/);
    }
    // Beside words the turn goes on, and the model knows.
    story.sendFile({ ...voice("几点了"), caption: "听听这个" });
    await story.hear("嗯，我在听。");
    const [request] = story.model.requests.slice(-1);
    expect(request && lastWords(request)).toMatch(
      /^听听这个\n\n\[语音: 已存到.*；听不了：听写服务没有答上来，照实说，不要猜\]$/,
    );
    await story.quiet();
  });
});

describe("a spoken answer", () => {
  const persona = new URL("../../config/personas/kurisu/", import.meta.url);
  const sound = { voice: "lab-member", speed: 1.25, instructions: "语速快，句尾收得干脆。" };
  const sounds = (story: TelegramStory) =>
    story.fake
      .botMessages(owner)
      .flatMap(({ document }) => (document?.name === "voice.ogg" ? [listen(document.content)] : []));
  const say = () => ({ content: "**现在**三点。\n\n```sh\nuname -a\n```\n详见 https://a.test/b?c=1 。" });

  test("follows the text when the chat wants it, in the persona's own voice, without code and addresses; auto answers voice with voice", async () => {
    const server = await startSoundServer();
    const story = await startTelegramStory({
      environment: server.environment,
      files: {
        "personas/kurisu/persona.yaml": `${readFileSync(new URL("persona.yaml", persona), "utf8")}\nsound: ${JSON.stringify(sound)}\n`,
        "personas/kurisu/soul.md": readFileSync(new URL("soul.md", persona), "utf8"),
      },
      script: say,
    });
    await story.start();
    story.say("几点");
    await story.hear(/^现在三点。/);
    story.say("/voice on");
    await story.hear(/每次回答都再说一遍语音/);
    story.say("几点");
    await story.hear(/^现在三点。/);
    await story.fake.waitFor(() => sounds(story).length === 1, "a voice message");
    expect(sounds(story)).toEqual(["现在三点。 详见 。"]);
    expect(server.spoken).toEqual([{ input: "现在三点。 详见 。", format: "opus", ...sound }]);

    story.say("/voice auto");
    await story.hear(/你发语音，我也用语音/);
    story.say("几点");
    await story.hear(/^现在三点。/);
    story.sendFile(voice("几点了"));
    await story.hear(/^现在三点。/);
    await story.fake.waitFor(() => sounds(story).length === 2, "a voice message");

    // The text is there all the same, and a line says what is missing.
    server.be("failing");
    story.say("/voice on");
    await story.hear(/每次回答都再说一遍语音/);
    story.say("几点");
    await story.hear(/^现在三点。/);
    await story.hear("（这次没能说出来，语音合成没有答上来。）");
    story.say("/voice off");
    await story.hear(/只用文字回答/);
    await story.quiet();
    expect(sounds(story)).toHaveLength(2);
    expect(server.refused).toEqual([]);
  });

  test("goes out once at most after kill -9 while it is being sent; an album that was being sent then is there whole, in one turn", async () => {
    const server = await startSoundServer();
    const script = (request: ModelRequest) => look(request) ?? say();
    const story = await startTelegramStory({ environment: server.environment, script });
    const kurisu = await story.start();
    story.say("/voice on");
    await story.hear(/每次回答都再说一遍语音/);
    // It arrives, and the answer is lost.
    story.fake.failNext("sendVoice", { kind: "hang" });
    story.say("几点");
    await story.fake.waitFor(() => story.fake.callsOf("sendVoice").length === 1, "the voice message");
    story.fake.sendAlbum([
      { chat: owner, content: png("一条狗"), field: "photo", caption: "都看看" },
      { chat: owner, content: png("一只鸟"), field: "photo" },
    ]);
    await story.fake.waitFor(() => story.fake.pendingUpdates().length === 0, "the album to be stored");
    await kurisu.crash();
    await story.start();
    await story.hear("我看到了一条狗和一只鸟。");
    await story.fake.waitFor(() => story.fake.callsOf("sendVoice").length === 2, "the next voice message");
    await story.quiet();
    expect(server.spoken.map(({ input }) => input)).toEqual(["现在三点。 详见 。", "我看到了一条狗和一只鸟。"]);
    expect(story.fake.callsOf("sendVoice")).toHaveLength(2);
    expect(story.model.requests.filter((request) => picturesOf(request).length > 0)).toHaveLength(1);
  });
});

test("a picture in QQ by OneBot is seen, a record is heard and answered by one, and faces are read", async () => {
  const server = await startSoundServer();
  const story = await startOneBotStory("forward", { environment: server.environment, script: look });
  await story.start();
  const base64 = (content: Buffer) => `base64://${content.toString("base64")}`;
  const text = { type: "text", data: { text: "这是什么" } };
  const { messageId } = story.say("", {
    segments: [text, { type: "image", data: { file: base64(png("一只猫")), sub_type: "0" } }],
  });
  await story.hear("我看到了一只猫。");
  story.say("", { segments: [{ type: "reply", data: { id: String(messageId) } }, text] });
  await story.hear("我看到了一只猫。");
  story.say("", { segments: [{ type: "face", data: { id: "178" } }] });
  await story.hear("嗯，我在听。");
  const [face] = story.model.requests.slice(-1);
  expect(face && lastWords(face)).toBe("[表情: 斜眼笑]");

  story.say("/voice auto");
  await story.hear(/你发语音，我也用语音/);
  story.say("", { segments: [{ type: "record", data: { file: base64(speak("你在干什么")) } }] });
  await story.hear("嗯，我在听。");
  const isRecord = ({ segments }: { readonly segments: readonly { readonly type: string }[] }) =>
    segments.some(({ type }) => type === "record");
  await story.fake.waitFor(() => story.fake.botMessages("private:4242").some(isRecord), "a record");
  expect(server.spoken).toEqual([{ input: "嗯，我在听。", format: "mp3" }]);
  await story.quiet();
  expect(server.refused).toEqual([]);
});
