import { describe, expect, it } from "vitest";
import { areAlike, isLoop } from "../../../src/features/group-sense/is-loop.ts";
import { shouldAnswer } from "../../../src/features/group-sense/should-answer.ts";
import { toComparable, type Utterance } from "../../../src/kernel/outbox/recent-talk.ts";
import { workTime } from "../../support/work-time.ts";

const names = ["牧濑红莉栖", "Makise Kurisu", "牧瀬紅莉栖", "红莉栖", "紅莉栖", "助手", "クリス"];
const toOther = { messageId: "1", fromUs: false, text: "晚上吃什么" };
type Row = readonly [
  text: string,
  changes?: Partial<Parameters<typeof shouldAnswer>[0]>,
  situation?: { readonly goesOn: boolean },
];

const hers: readonly Row[] = [
  ["随便说一句", { addressed: true }],
  ["@小明 你也来看", { addressed: true }],
  ["红莉栖 帮我查一下天气"],
  ["红莉栖，在吗"],
  ["红莉栖帮我算一下"],
  ["@红莉栖 在吗"],
  ["喂，助手！"],
  ["助手"],
  ["晚上好红莉栖"],
  ["谢谢你，红莉栖～"],
  ["诶，红莉栖，明天呢"],
  ["今天好热。红莉栖你觉得呢，会下雨"],
  ["Kurisu, what's the weather"],
  ["hey kurisu can you help"],
  ["Could you summarise that, Kurisu?"],
  ["thanks a lot Kurisu!"],
  ["クリス、教えて"],
  ["クリスさん、おはよう"],
  ["ねえクリス、明日の天気を調べて"],
  ["ありがとう、クリス"],
  ["有人知道几点开会吗"],
  ["今天谁去买菜？"],
  ["这个接口为什么报错呢"],
  ["@全体成员 明天几点集合？"],
  ["Does anyone know when the meeting starts?"],
  ["How do I install this?"],
  ["明日の会議は何時からですか"],
  ["再说一遍", {}, { goesOn: true }],
  ["那后天呢", {}, { goesOn: true }],
];
const others: readonly Row[] = [
  ["晚上吃火锅"],
  ["哈哈哈哈"],
  [""],
  ["红莉栖的论文写得很好"],
  ["我昨天问了红莉栖"],
  ["红莉栖 你看", { quote: toOther }],
  ["红莉栖说得对 @小明"],
  ["几点开会？", { quote: toOther }],
  ["@小明 几点开会？"],
  ["<@!20002> 几点开会呢"],
  ["再说一遍", { quote: toOther }, { goesOn: true }],
  ["@bob look at this", {}, { goesOn: true }],
  ["红莉栖 看这个", { forwarded: true }],
  ["有人知道吗？", { viaBot: true }],
  ["/roll 20", {}, { goesOn: true }],
  ["你吃了吗"],
  ["几点？"],
  ["还在开会呢"],
  ["Kurisu is a scientist"],
  ["I asked Kurisu"],
  ["my address is a@b.example"],
  ["Are you coming tonight?"],
  ["クリスマスは何する予定"],
  ["クリスは天才だと思う"],
  ["助手席に乗って"],
  ["なるほど、そうか"],
];

const said = { addressed: false, forwarded: false, viaBot: false } as const;
const alone = { names, goesOn: false };

const listRows = (rows: readonly Row[]) =>
  rows.map(([text, changes = {}, situation = { goesOn: false }]) => ({
    text,
    message: { ...said, text, ...changes },
    situation,
  }));

describe("a message in a group where she hears everything", () => {
  it.each(listRows(hers))("$text is for her", ({ message, situation }) => {
    expect(shouldAnswer(message, { names, ...situation })).toBe(true);
  });

  it.each(listRows(others))("$text is not", ({ message, situation }) => {
    expect(shouldAnswer(message, { names, ...situation })).toBe(false);
  });

  it.each(["红莉栖，", "@", "？", " ", "助手 ", "a,", "呢"])(
    "shouldAnswer reads a message in linear time (%j)",
    (piece) => {
      const text = piece.repeat(200_000);
      const start = workTime();
      shouldAnswer({ ...said, text }, alone);
      expect(workTime() - start).toBeLessThan(20_000);
    },
  );
});

/** A talk of two: she answers each of their messages at once, they answer her after `gap`. */
function talk(theirs: readonly string[], gap: number, hersToo: (text: string) => string): readonly Utterance[] {
  return theirs.flatMap((text, index): readonly Utterance[] => [
    { kind: "heard", row: `r${index}`, sender: "x", words: toComparable(text), at: 1e9 + index * gap, taken: true },
    {
      kind: "said",
      id: `s${index}`,
      cause: `r${index}`,
      to: "x",
      words: toComparable(hersToo(text)),
      at: 1e9 + index * gap,
    },
  ]);
}

const different = [
  "早",
  "天气怎么样",
  "火锅好吃",
  "明天开会",
  "买点牛奶",
  "猫又跑了",
  "好累啊",
  "唱首歌吧",
  "看书去",
  "晚安",
];
const same = different.map(() => "请继续往下说吧");
const numbered = different.map((_, index) => `收到你的第 ${index} 条消息，谢谢你的关注`);

describe("a member who answers her like a machine", () => {
  it.each([
    ["at once each time", different, 1_000, true],
    ["with different words after a while", different, 6_000, false],
    ["always with the same words", same, 20_000, true],
    ["with nearly the same words", numbered, 20_000, true],
    ["with the same words, but rarely", same, 60_000, false],
    ["seven times", different.slice(0, 7), 1_000, false],
  ] as const)("%s", (_, texts, gap, expected) => {
    const before = talk(texts, gap, (text) => `关于${text}，我想说的是这个：${text.repeat(2)}`);
    const next = {
      sender: "x",
      text: texts === different ? "还有一件事" : (texts[0] ?? ""),
      at: 1e9 + texts.length * gap,
    };
    expect(isLoop(8, before, next)).toBe(expected);
    const guest: Utterance = { kind: "heard", row: "g", sender: "y", words: "我来了", at: next.at, taken: false };
    expect(isLoop(8, [...before.slice(0, -4), guest, ...before.slice(-4)], next)).toBe(false);
  });

  it("a sender who repeats her own words counts as a machine, however late", () => {
    const before = talk(different, 20_000, (text) => `${text}，我也这么想`);
    const echoes = before.map((one, index) => {
      const hers = before[index - 1];
      return one.kind === "heard" && hers ? { ...one, words: hers.words } : one;
    });
    const next = { sender: "x", text: "晚安，我也这么想！", at: 1e9 + different.length * 20_000 };
    expect(isLoop(8, echoes, next)).toBe(true);
    expect(isLoop(8, before, next)).toBe(false);
  });

  it.each([
    ["好", "好", true],
    ["好", "早", false],
    ["今天天气真好", "今天天气真好啊", true],
    ["今天天气真好", "明天去吃火锅", false],
    ["", "", true],
    ["a", "", false],
  ])("%j and %j", (one, other, expected) => {
    expect(areAlike(one, other)).toBe(expected);
  });
});
