import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import type { BaseMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import type { Language } from "../../../src/core/conversation.ts";
import { composeReply } from "../../../src/models/offline/compose-reply.ts";
import { offlinePhrasesSchema } from "../../../src/models/offline/phrases.ts";

const phrases = offlinePhrasesSchema.parse({});
const tools = ["shell", "file_read", "file_write", "time"];

function reply(messages: readonly BaseMessage[], language: Language = "zh") {
  return composeReply({ messages, tools, language, phrases });
}

/** One finished call of this turn, after a conversation that has already begun. */
function afterCall(name: string, args: Record<string, unknown>, result: unknown, language: Language = "zh"): string {
  const text = typeof result === "string" ? result : JSON.stringify(result);
  return reply(
    [
      new AIMessage("earlier"),
      new HumanMessage("运行 ls"),
      new AIMessage({ content: "", tool_calls: [{ id: "1.1", name, args }] }),
      new ToolMessage({ tool_call_id: "1.1", content: text }),
    ],
    language,
  ).text;
}

describe("telling a result", () => {
  const command = { command: "ls -la" };

  test("a command's output in a code block", () => {
    const text = afterCall("shell", command, { ok: true, output: { exit_code: 0, stdout: "a\nb\n", stderr: "" } });
    expect(text).toContain("ls -la");
    expect(text).toContain("```\na\nb\n```");
  });

  test("an exit code that is not 0, with what was complained", () => {
    const output = { exit_code: 2, stdout: "", stderr: "no such file" };
    for (const result of [
      { ok: true, output },
      { ok: false, error: "exit code 2", output },
    ]) {
      const text = afterCall("shell", command, result);
      expect(text).toContain("2");
      expect(text).toContain("```\nno such file\n```");
    }
  });

  test("git where there is no repository, in words", () => {
    const stderr = "fatal: not a git repository (or any parent up to mount point /)\nStopping at filesystem boundary";
    const text = afterCall(
      "shell",
      { command: "git status" },
      { ok: false, error: "exit code 128", output: { exit_code: 128, stdout: "", stderr } },
    );
    expect(text).toContain("git init");
    expect(text).not.toContain("fatal");
  });

  test("a site that is not there is no missing file, and a file's name keeps its small letters", () => {
    const error = "example.com was not found (ENOTFOUND); check the name.";
    expect(afterCall("fetch", { url: "https://example.com" }, { ok: false, error })).toMatch(/example\.com/);
    const missing = { ok: false, error: 'There is no "a.txt" in the workspace; look for it with glob or "ls".' };
    expect(afterCall("file_delete", { path: "a.txt" }, missing, "ja")).toMatch(/^a\.txt/);
  });

  test("no output, and no end in time", () => {
    const silent = { exit_code: 0, stdout: "", stderr: "" };
    expect(afterCall("shell", command, { ok: true, output: silent })).toMatch(/没有输出|什么都没打印/);
    const late = { exit_code: null, stdout: "partial", stderr: "", timed_out: true };
    expect(afterCall("shell", command, { ok: true, output: late })).toMatch(/超时[\s\S]*partial/);
  });

  test("output with a code block in it keeps its shape, and a long one is cut with a word", () => {
    const stdout = `\`\`\`\ncode\n\`\`\`\n${"x".repeat(10_000)}`;
    const text = afterCall("shell", command, { ok: true, output: { exit_code: 0, stdout, stderr: "" } });
    expect(text).toContain("\n````\n```\ncode");
    expect(text.length).toBeLessThan(4_000);
    expect(text).toContain("太长");
  });

  test("a result that was cut for the model is still shown", () => {
    const whole = JSON.stringify({ ok: true, output: { exit_code: 0, stdout: "line\n".repeat(10), stderr: "" } });
    const text = afterCall("shell", command, { ok: true, start: whole.slice(0, 60), note: "cut", end: "}" });
    expect(text).toContain("line\nline");
    expect(text).toContain("太长");
    expect(text).not.toContain("exit_code");
  });

  test.each([
    ["file_read", { path: "a.txt" }, { content: "hello", total_lines: 9, has_more: true }, ["a.txt", "9", "hello"]],
    ["file_read", { path: "a.txt" }, { content: "", total_lines: 0, has_more: false }, ["a.txt", "空"]],
    [
      "file_write",
      { path: "a.txt", content: "x\ny\n" },
      { path: "a.txt", bytes_written: 12, existed: false },
      ["a.txt", "2 行"],
    ],
    [
      "time",
      {},
      { iso: "2026-11-21T21:04:00+08:00", local: "2026-11-21 21:04", weekday: "星期六" },
      ["21:04", "星期六"],
    ],
    ["grep", { pattern: "x\\.y" }, { matches: [], has_more: false }, ["没有", "「x.y」"]],
    ["mcp__notes__add", {}, { id: 7 }, ["mcp__notes__add", '"id": 7']],
  ])("%s", (name, args, output, words) => {
    const text = afterCall(name, args, { ok: true, output });
    for (const word of words) expect(text).toContain(word);
  });

  test.each([
    ["denied", "no rule allows it", "规则不允许"],
    ["denied", "The person was asked and said no. It did not run.", "不"],
    ["denied", "The question expired.", "过期"],
    ["unknown", "crashed", "可能"],
    [undefined, "The site did not answer within 10 s; try again or another one.", "等太久"],
    [undefined, "Something nobody foresaw.", "Something nobody foresaw."],
  ])("%s: %s", (status, error, word) => {
    expect(afterCall("shell", command, { ok: false, error, status })).toContain(word);
  });

  test("afterCall says in English and Japanese too that a command may have run", () => {
    const result = { ok: false, status: "unknown", error: "" };
    expect(afterCall("shell", command, result, "en")).toContain("may have happened or not");
    expect(afterCall("shell", command, result, "ja")).toContain("かもしれない");
  });

  test("finds in the log: how many there are, the newest first, her name and 你 instead of you", () => {
    const found = { ok: true, output: { line_numbers: [9, 7], total_matches: 12 } };
    const messages = [
      { at: "2026-11-20T10:00:00+08:00", from: "owner", text: "去京都 ```x```", own: true },
      { at: "2026-11-21T10:00:00+08:00", from: "you", text: "京都见" },
    ];
    const load = { line_numbers: [9, 7], include_metadata: true };
    const { text } = reply([
      new HumanMessage("谁提到过京都"),
      new AIMessage({ content: "", tool_calls: [{ id: "1.1", name: "search_by_keywords", args: {} }] }),
      new ToolMessage({ tool_call_id: "1.1", content: JSON.stringify(found) }),
      new AIMessage({ content: "", tool_calls: [{ id: "2.1", name: "load_messages", args: load }] }),
      new ToolMessage({ tool_call_id: "2.1", content: JSON.stringify({ ok: true, output: { messages } }) }),
    ]);
    expect(text).toMatch(/12 条，最近的 2 条[^]*11-21 10:00 我: 京都见\n2026-11-20 10:00 你: 去京都/);
  });

  test("being forgotten, in the words of the receipt", () => {
    const result = { ok: true, output: { receipt: { begun: "这条说完我就动手。" } } };
    expect(afterCall("forget", { all: true }, result)).toBe("这条说完我就动手。");
  });

  test("several results, each under its own words", () => {
    const { text, calls } = reply([
      new HumanMessage("…"),
      new AIMessage({
        content: "",
        tool_calls: [
          { id: "1.1", name: "shell", args: { command: "echo a" } },
          { id: "1.2", name: "time", args: {} },
        ],
      }),
      new ToolMessage({ tool_call_id: "1.1", content: '{"ok":true,"output":{"exit_code":0,"stdout":"a"}}' }),
      new ToolMessage({ tool_call_id: "1.2", content: '{"ok":true,"output":{"local":"21:04"}}' }),
    ]);
    expect(calls).toEqual([]);
    expect(text).toMatch(/echo a[\s\S]*```\na\n```[\s\S]*21:04/);
  });
});

describe("she does no finished work again", () => {
  const asked = [new HumanMessage("运行 rm -rf build"), new HumanMessage("[record] asked K7; waiting; do not repeat")];

  test("an older wish is not followed when something else is said", () => {
    expect(reply([...asked, new HumanMessage("你好")]).calls).toEqual([]);
    expect(reply([...asked, new HumanMessage("等一下，先告诉我现在几点")]).calls).toEqual([
      { name: "time", arguments: {} },
    ]);
  });

  test("a burst is one wish, also where its last message wishes nothing by itself", () => {
    const opening = new HumanMessage("<context>\nnow: today\n</context>\n\n现在几点");
    expect(reply([opening, new HumanMessage("快点")]).calls).toEqual([{ name: "time", arguments: {} }]);
    const call = new AIMessage({ content: "", tool_calls: [{ id: "1.1", name: "time", args: {} }] });
    const result = new ToolMessage({ tool_call_id: "1.1", content: '{"ok":true,"output":{"local":"21:04"}}' });
    expect(reply([opening, call, result, new HumanMessage("运行 ls")]).calls).toMatchObject([{ name: "shell" }]);
  });

  test("she does not repeat work after its answer or while its call waits", () => {
    const call = new AIMessage({ content: "", tool_calls: [{ id: "1.1", name: "shell", args: {} }] });
    const record = new HumanMessage("[record] waiting, do not repeat");
    expect(reply([new HumanMessage("运行 ls"), call, record])).toMatchObject({ calls: [], text: expect.any(String) });
    expect(reply([new HumanMessage("运行 ls"), new AIMessage("跑完了。"), record]).calls).toEqual([]);
    expect(reply([record]).calls).toEqual([]);
    expect(reply([]).calls).toEqual([]);
  });

  test("an answer the gateway sent back is given again in other words", () => {
    const words = [new HumanMessage("嗯")];
    const draft = reply(words).text.split("\n")[0] ?? "";
    const record = new HumanMessage("[record] Your last answer broke the rules; write another.");
    const second = reply([...words, new AIMessage(draft), record]);
    expect(phrases.zh.smallTalk).toContain(second.text.split("\n")[0]);
    expect(second.text).not.toContain(draft);

    const result = [
      new AIMessage({ content: "", tool_calls: [{ id: "1.1", name: "time", args: {} }] }),
      new ToolMessage({ tool_call_id: "1.1", content: '{"ok":true,"output":{"local":"21:04"}}' }),
    ];
    expect(reply([new HumanMessage("现在几点"), ...result, new AIMessage("x"), record]).text).toContain("21:04");
  });

  test("a note of the gateway after the wish does not hide it", () => {
    const record = new HumanMessage("[record] the person's zone is Asia/Tokyo");
    expect(reply([new HumanMessage("运行 ls"), record]).calls).toHaveLength(1);
  });
});

describe("talk", () => {
  test("a reply says nothing about keys and providers", () => {
    for (const text of ["你好", "你会什么", "你是机器人吗", "给我画一张图"]) {
      expect(reply([new SystemMessage("persona"), new HumanMessage(text)]).text).not.toMatch(/API_KEY|Ollama/);
    }
  });

  test("neighbours differ and the same turn says the same", () => {
    const messages: BaseMessage[] = [new HumanMessage("嗯"), new AIMessage("start")];
    let previous = "";
    for (let turn = 0; turn < 12; turn += 1) {
      messages.push(new HumanMessage("嗯"));
      const { text } = reply(messages);
      expect(reply(messages).text).toBe(text);
      expect(text).not.toBe(previous);
      previous = text;
      messages.push(new AIMessage(text));
    }
  });

  test.each([
    ["zh", "谢谢", phrases.zh.thanks],
    ["zh", "海马体是怎么储存记忆的？", phrases.zh.question],
    ["en", "hello!", phrases.en.greeting],
    ["en", "who are you?", phrases.en.identity],
    ["ja", "おはよう", phrases.ja.greeting],
    ["ja", "ちょっと疲れた", phrases.ja.tired],
    ["ja", "今日は散歩した", phrases.ja.smallTalk],
    ["zh", "确认", phrases.zh.nothingOpen],
    ["en", "confirm", phrases.en.nothingOpen],
    ["ja", "承認", phrases.ja.nothingOpen],
  ] as const)("%s: %s", (language, text, variants) => {
    const said = reply([new AIMessage("…"), new HumanMessage(text)], language).text;
    expect(variants).toContain(said);
  });

  test("help shows examples for the tools that are there, and for no others", () => {
    const { text } = reply([new AIMessage("…"), new HumanMessage("你会什么")]);
    expect(text).toMatch(/「读 notes\.txt」[\s\S]*「运行 ls -la」[\s\S]*东京现在几点/);
    expect(text).not.toMatch(/搜一下|待办加一条/);
  });

  test("a persona's own words are used, the rest stays neutral, unknown placeholders are faults", () => {
    const own = offlinePhrasesSchema.parse({ zh: { greeting: ["哼，是你啊。"] } });
    const messages = [new AIMessage("…"), new HumanMessage("你好")];
    expect(composeReply({ messages, tools, language: "zh", phrases: own }).text).toBe("哼，是你啊。");
    expect(own.zh.thanks).toEqual(phrases.zh.thanks);
    expect(offlinePhrasesSchema.safeParse({ zh: { greeting: ["{nobody}"] } }).success).toBe(false);
    expect(offlinePhrasesSchema.safeParse({ zh: { greetings: ["x"] } }).success).toBe(false);
  });

  test("no neutral sentence breaks character", () => {
    expect(JSON.stringify(phrases)).not.toMatch(
      /\bas an? (?:AI|language model)|作为(?:一个)?(?:AI|人工智能|语言模型)|AIとして/i,
    );
  });
});

test.each([
  { asked: "我喜欢喝什么", knows: ["我不喜欢喝咖啡", "我喜欢冰美式"], answer: /冰美式/, never: /不喜欢/ },
  { asked: "我喜欢喝什么", knows: ["我喜欢猫", "我喜欢喝冰美式"], answer: /冰美式/, never: /猫/ },
  { asked: "我喜欢喝什么", knows: ["我讨厌喝咖啡"], answer: /按字面没找到/, never: /咖啡/ },
  { asked: "我讨厌喝什么", knows: ["我讨厌喝咖啡"], answer: /咖啡/, never: /没记着/ },
])("$asked is answered with what is liked or disliked, as was asked ($answer)", ({ answer, asked, knows, never }) => {
  const memories = knows.map((content, at) => ({ id: at + 1, content, since: "2026-11-22" }));
  const { text } = composeReply({
    messages: [
      new HumanMessage(asked),
      new AIMessage({ content: "", tool_calls: [{ id: "1.1", name: "recall_memory", args: { topic: asked } }] }),
      new ToolMessage({ tool_call_id: "1.1", content: JSON.stringify({ ok: true, output: { memories } }) }),
      // What shares no word with the question is looked for among all.
      ...(String(answer).includes("没找到")
        ? [
            new AIMessage({ content: "", tool_calls: [{ id: "2.1", name: "list_memories", args: { limit: 100 } }] }),
            new ToolMessage({ tool_call_id: "2.1", content: JSON.stringify({ ok: true, output: { memories } }) }),
          ]
        : []),
    ],
    tools: ["recall_memory", "list_memories"],
    language: "zh",
    phrases,
  });
  expect(text).toMatch(answer);
  expect(text).not.toMatch(never);
});

test("a correction of what was told just before is heard as what it means", () => {
  const before = [new HumanMessage("我对花生过敏"), new AIMessage("知道了。")];
  for (const said of ["不对，是对蟹过敏", "不是花生，是蟹"])
    expect(reply([...before, new HumanMessage(said)]).text).toContain("我对蟹过敏");
  expect(reply([...before, new HumanMessage("不对，应该是三点开会")]).text).not.toContain("三点");
});

describe("a search without a search engine", () => {
  const logTools = [...tools, "search_by_keywords", "load_messages"];
  const say = (text: string, ...after: readonly BaseMessage[]) =>
    composeReply({
      messages: [new AIMessage("…"), new HumanMessage(text), ...after],
      tools: logTools,
      language: "zh",
      phrases,
    });
  const searched = (hits: readonly number[]) => [
    new AIMessage({
      content: "",
      tool_calls: [{ id: "1.1", name: "search_by_keywords", args: { keywords: ["房租"] } }],
    }),
    new ToolMessage({
      tool_call_id: "1.1",
      content: JSON.stringify({ ok: true, output: { line_numbers: hits, total_matches: hits.length } }),
    }),
  ];

  test("she looks in the chat log and says so", () => {
    expect(say("搜一下 房租").calls).toMatchObject([{ name: "search_by_keywords", arguments: { keywords: ["房租"] } }]);
    expect(say("搜一下 房租", ...searched([])).text).toBe("没接搜索引擎，网上搜不了；聊天记录里也没有「房租」。");
    expect(say("搜一下 房租", ...searched([7, 9])).calls).toMatchObject([{ name: "load_messages" }]);
    const messages = [{ from: "小林", text: "房租三千", at: "2026-11-24T03:00:00+08:00" }];
    const shown = [
      new AIMessage({
        content: "",
        tool_calls: [{ id: "2.1", name: "load_messages", args: { line_numbers: [7, 9] } }],
      }),
      new ToolMessage({ tool_call_id: "2.1", content: JSON.stringify({ ok: true, output: { messages } }) }),
    ];
    expect(say("搜一下 房租", ...searched([7, 9]), ...shown).text).toMatch(
      /^没接搜索引擎，网上搜不了。聊天记录里找到 2 条，最近的 2 条：\n/,
    );
  });

  test("a search of the web itself is refused, as is one where the log cannot be read", () => {
    for (const text of ["百度一下房租", "网上搜一下房租"])
      expect(say(text)).toEqual({ text: "现在没接搜索引擎，搜不了。有网址的话可以直接打开。", calls: [] });
    expect(reply([new AIMessage("…"), new HumanMessage("搜一下 房租")]).text).toMatch(/搜不了/);
  });
});

test.each([
  ["zh", /\/persona 名字 .*\/persona auto/, ["换个人设", "把人设换成助手", "能不能换一个角色"]],
  ["en", /\/persona NAME .*\/persona auto/, ["switch to another persona", "can you change your character?"]],
  ["ja", /\/persona 名前 .*\/persona auto/, ["ペルソナを変えて"]],
  ["zh", /kurisu setup`.*docs\/channels\.md/, ["怎么接QQ", "QQ怎么接", "怎么连接 Telegram"]],
  ["en", /kurisu setup`.*docs\/channels\.md/, ["how do I connect Telegram?"]],
  ["zh", /kurisu setup`.*docs\/configuration\.md/, ["怎么接模型", "模型怎么配", "怎么换 DeepSeek 的模型"]],
  ["en", /kurisu setup`.*docs\/configuration\.md/, ["how do I set up a model?"]],
  ["zh", /^没有要继续的/, ["继续", "继续吧", "接着说。"]],
  ["en", /^There is nothing to continue/, ["go on", "Continue."]],
  ["ja", /^続けるものはない/, ["続けて"]],
] as const)("a request about her setup is answered with its command, in %s: %s", (language, told, requests) => {
  for (const text of requests)
    expect({ request: text, ...reply([new AIMessage("…"), new HumanMessage(text)], language) }).toMatchObject({
      text: expect.stringMatching(told) as string,
      calls: [],
    });
});
