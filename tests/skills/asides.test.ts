import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRuleMatcher } from "../../src/skills/matching/rule-matcher.ts";
import { asideKinds, findAsides } from "../../src/skills/matching/cut-asides.ts";
import { normalizeUtterance } from "../../src/skills/matching/normalize-utterance.ts";
import { triggerSchema } from "../../src/skills/matching/trigger-schema.ts";
import type { Skill } from "../../src/skills/loader/types.ts";

/** What is left of a message when its asides are cut, gaps and spaces aside. */
function readWithout(text: string, read: readonly (typeof asideKinds)[number][] = []): string {
  return findAsides(normalizeUtterance(text)).cut(read).replaceAll(/\s+/g, " ").trim();
}

function makeSkill(trigger: object, id = "tides", type: Skill["type"] = "tool"): Skill {
  return {
    id,
    name: id,
    version: "1.0.0",
    description: "",
    type,
    language: "zh",
    context: "",
    examples: [],
    effects: false,
    requires: { platforms: [], bins: [], env: [], config: [], tools: [] },
    trigger: triggerSchema.parse(trigger),
    tools: { builtin: [], network: [] },
    folder: "/nowhere",
    origin: "config",
    mcpServers: [],
  };
}

function match(trigger: object, text: string): readonly string[] {
  return createRuleMatcher([makeSkill(trigger)])(text).flatMap(({ reasons }) => reasons);
}

describe("asides", () => {
  it.each([
    ["declined", "不用查潮汐了"],
    ["declined", "我现在不想看潮汐"],
    ["declined", "no need to check the tides"],
    ["declined", "潮汐はもう調べなくていいよ"],
    ["thanked", "谢谢你帮我查潮汐"],
    ["thanked", "要不是你提醒潮汐我就湿了"],
    ["thanked", "thanks for the tides"],
    ["reported", "老板让我查潮汐"],
    ["reported", "他昨天问我潮汐的事"],
    ["reported", "my boss told me to check the tides"],
    ["told", "我昨天查了潮汐"],
    ["told", "我打算学潮汐学"],
    ["told", "I looked at the tides all night"],
    ["narrated", "我妈天天看潮汐"],
    ["narrated", "潮汐表被我弄丢了"],
    ["narrated", "the tides are strange this week"],
    ["narrated", "潮汐を見てた"],
    ["exclaimed", "潮汐真美"],
    ["exclaimed", "潮汐背得我头秃"],
    ["likened", "潮汐一样的人群"],
    ["likened", "心情就像潮汐一样"],
    ["likened", "対象は潮汐みたいな人"],
    ["likened", "隔壁那位是搞潮汐的"],
    ["explained", "潮汐是怎么形成的"],
    ["explained", "how do tides work"],
    ["composed", "写一首关于潮汐的诗"],
    ["composed", "tell me a story about tides"],
    ["programmed", "写个函数算潮汐"],
    ["errand", "提醒我看潮汐"],
    ["errand", "remind me to check the tides"],
    ["personal", "你喜欢潮汐吗"],
    ["personal", "do you like tides"],
  ] as const)("%s: %s asks for nothing", (kind, text) => {
    expect(readWithout(text)).not.toMatch(/潮汐|tide/);
    expect(readWithout(text, [kind])).toMatch(/潮汐|tide/);
  });

  it.each([
    "查一下潮汐",
    "帮我看看潮汐",
    "青岛的潮汐几点涨",
    "我想知道明天的潮汐",
    "潮汐表",
    "你去网上找找潮汐的资料",
    "别忘了看潮汐",
    "潮汐查好了发我",
    "show me the tides",
    "do you know when the tides change",
    "I need the tides for tomorrow",
    "明日の潮汐を教えて",
  ])("%s is a request", (text) => {
    expect(readWithout(text)).toMatch(/潮汐|tide/);
  });

  it("leave what is asked beside them", () => {
    expect(readWithout("我昨天查了半天，帮我看看潮汐")).toBe("帮我看看潮汐");
    expect(readWithout("my boss told me to hurry. show me the tides")).toBe("show me the tides");
  });

  it("are read after all when the request alone tells nothing", () => {
    const trigger = { keywords: ["潮汐"] };
    expect(match(trigger, "老板让我查潮汐")).toEqual([]);
    expect(match(trigger, "老板让我查潮汐，怎么弄")).toEqual(["潮汐"]);
    expect(match(trigger, "老板让我查潮汐，不用弄了")).toEqual([]);
  });

  it("are read by a skill that only knows something: a mention is enough", () => {
    const told = "昨天潮汐很大";
    const match = (type: Skill["type"]) => createRuleMatcher([makeSkill({ keywords: ["潮汐"] }, "tides", type)])(told);
    expect([match("knowledge").length, match("tool").length]).toEqual([1, 0]);
  });

  it("are read by a skill that names them", () => {
    expect(match({ keywords: ["潮汐"] }, "我昨天查了潮汐")).toEqual([]);
    expect(match({ keywords: ["潮汐"], asides: ["told"] }, "我昨天查了潮汐")).toEqual(["潮汐"]);
    expect(match({ keywords: ["潮汐"], asides: ["declined"] }, "我昨天查了潮汐")).toEqual([]);
  });

  it("go on until something is asked", () => {
    expect(readWithout("我妈昨天去海边了，潮汐大得很，鞋都湿光")).not.toContain("潮汐");
    expect(readWithout("我妈昨天去海边了，潮汐大得很，帮我看看潮汐表")).toBe("帮我看看潮汐表");
  });

  it("only ever take away", () => {
    const pieces = "我昨天查了，不用帮看潮汐吗？写首的诗。提醒谢谢 the tides told me please ".split("");
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 60 }), (characters) => {
        const text = normalizeUtterance(characters.join(""));
        const { cut } = findAsides(text);
        expect(cut(asideKinds)).toBe(text);
        expect(text.replaceAll(/\s/g, "").length).toBeGreaterThanOrEqual(cut([]).replaceAll(/\s/g, "").length);
      }),
    );
  });
});

describe("a topic", () => {
  const trigger = { topics: ["潮汐"], intents: [{ name: "boat", patterns: ["船"] }] };

  it("counts only in a message that asks for something", () => {
    expect(match(trigger, "明天潮汐大不大")).toEqual(["潮汐"]);
    expect(match(trigger, "潮汐")).toEqual(["潮汐"]);
    expect(match(trigger, "潮汐，月亮，还有那年夏天海边的风和星星")).toEqual([]);
  });

  it("gives way to what is surer, of whichever skill", () => {
    const find = createRuleMatcher([makeSkill(trigger), makeSkill({ keywords: ["海图"] }, "charts")]);
    expect(find("明天潮汐怎么样").map(({ skill }) => skill.id)).toEqual(["tides"]);
    expect(find("明天潮汐怎么样，看海图").map(({ skill }) => skill.id)).toEqual(["charts"]);
  });
});

describe("a pair", () => {
  const trigger = {
    words: { see: ["看", "show"], sea: ["潮汐", "tide"] },
    intents: [{ name: "look", pairs: [["see", "sea"]] }],
  };

  it.each(["看明天的潮汐", "潮汐给我看下", "show me the tide"])("holds in either order: %s", (text) => {
    expect(match(trigger, text)).toEqual(["look"]);
  });

  it.each(["看明天的船", "看船，潮汐呢", "showcase the tide please", "show me the tideland"])(
    "needs both words, whole, in one clause: %s",
    (text) => {
      expect(match(trigger, text)).toEqual([]);
    },
  );

  it("must name lists that are there", () => {
    const { success, error } = triggerSchema.safeParse({
      ...trigger,
      intents: [{ name: "x", pairs: [["see", "sun"]] }],
    });
    expect([success, error?.issues[0]?.path]).toEqual([false, ["intents", 0, "pairs", 0]]);
    expect(triggerSchema.safeParse({ intents: [{ name: "x" }] }).success).toBe(false);
  });
});

describe("a skill that outranks another", () => {
  const find = createRuleMatcher([
    makeSkill({ keywords: ["文件"] }, "files"),
    makeSkill({ keywords: ["潮汐"], outranks: ["files"] }),
  ]);
  const ids = (text: string): readonly string[] => find(text).map(({ skill }) => skill.id);

  it.each(["把潮汐的文件拿来", "潮汐文件", "潮汐的文件，你查查"])("is meant alone in one step: %s", (text) => {
    expect(ids(text)).toEqual(["tides"]);
  });

  it.each(["看看潮汐，再打开文件", "看看潮汐然后打开文件", "查潮汐写到文件里", "open 文件 and then look at 潮汐"])(
    "leaves the other steps of the message: %s",
    (text) => {
      expect([...ids(text)].sort()).toEqual(["files", "tides"]);
    },
  );

  it("takes nothing where it is not found", () => {
    expect(ids("把文件拿来")).toEqual(["files"]);
  });
});

describe("an intent that is asked", () => {
  it("counts only in a message that asks for something", () => {
    const trigger = { intents: [{ name: "tide", asked: true, patterns: ["明天.{0,4}潮汐"] }] };
    expect(match(trigger, "明天的潮汐几点")).toEqual(["tide"]);
    expect(match(trigger, "明天的潮汐一定很大，风也一定很大")).toEqual([]);
  });
});

describe("a title", () => {
  it("is no request, whatever it says", () => {
    expect(match({ keywords: ["潮汐"] }, "《潮汐》好看吗")).toEqual([]);
  });
});
