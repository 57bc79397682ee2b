import { HumanMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { composeReply } from "../../../src/models/offline/compose-reply.ts";
import { offlinePhrasesSchema } from "../../../src/models/offline/phrases.ts";

const phrases = offlinePhrasesSchema.parse({});
const builtIn = ["shell", "file_read", "file_write", "glob", "time"];

function findCalls(text: string, tools: readonly string[] = builtIn) {
  return composeReply({ messages: [new HumanMessage(text)], tools, language: "zh", phrases }).calls;
}

test.each([
  ["运行 ls -la", "ls -la"],
  ["运行ls -la", "ls -la"],
  ["帮我执行一下 uname -a 看看", "uname -a"],
  ["跑一下 `df -h`，谢谢", "df -h"],
  ["执行命令：cat notes.txt | wc -l", "cat notes.txt | wc -l"],
  ["运行 ls -la。", "ls -la"],
  ["运行 ls -la，然后告诉我结果", "ls -la"],
  ['运行 echo "你好，世界"', 'echo "你好，世界"'],
  ["运行 echo 你好", "echo 你好"],
  ["运行 ls && rm -rf build", "ls && rm -rf build"],
  ["运行 rm -rf /", "rm -rf /"],
  ["运行 ls .", "ls ."],
  ["小明: 运行 whoami", "whoami"],
  ["@红莉栖 运行 pwd", "pwd"],
  ["運行 pwd", "pwd"],
  ["运行：\n```sh\necho a\necho b\n```", "echo a\necho b"],
  ["把 a.txt 改成 b.txt", "mv -n a.txt b.txt"],
  ["$ uname -a", "uname -a"],
  ["小明: $ uname -a", "uname -a"],
  ["run uname -a", "uname -a"],
  ["Please run `ls -la /tmp` for me", "ls -la /tmp"],
  ["can you run uname -a?", "uname -a"],
  ["execute the command: echo hi > out.txt", "echo hi > out.txt"],
  ["Hey Kurisu, run sleep 1; echo done.", "sleep 1; echo done"],
  ["ls -la を実行して", "ls -la"],
  ["「echo こんにちは」を実行して", "echo こんにちは"],
  ["実行して: date -u", "date -u"],
  ["<context>\n现在 21:00，运行 x\n</context>\n运行 ls", "ls"],
])("%s runs %s", (text, command) => {
  expect(findCalls(text)).toEqual([{ name: "shell", arguments: { command } }]);
});

test.each([
  ["现在几点了？", {}],
  ["等一下，先告诉我现在几点", {}],
  ["先别运行 ls，告诉我现在几点", {}],
  ["今天星期几", {}],
  ["现在的时间是？", {}],
  ["时间", {}],
  ["东京现在几点", { zone: "Asia/Tokyo" }],
  ["what time is it in New York?", { zone: "America/New_York" }],
  ["What's the time in Europe/Rome", { zone: "Europe/Rome" }],
  ["what day is it", {}],
  ["今何時？", {}],
  ["ロンドンは今何時ですか", { zone: "Europe/London" }],
])("%s asks the clock", (text, expected) => {
  expect(findCalls(text)).toEqual([{ name: "time", arguments: expected }]);
});

test.each([
  ["读 notes.txt", "notes.txt"],
  ["帮我看看notes.txt里有什么", "notes.txt"],
  ["打开 docs/周报.md", "docs/周报.md"],
  ["看一下「实验 记录.txt」", "实验 记录.txt"],
  ["notes.txt 里写了什么", "notes.txt"],
  ["read notes.txt.", "notes.txt"],
  ["show me the file src/a.tar.gz", "src/a.tar.gz"],
  ["what's in todo.md?", "todo.md"],
  ["notes.txt を読んで", "notes.txt"],
  ["memo.md の中身を見せて", "memo.md"],
])("%s reads %s", (text, path) => {
  expect(findCalls(text)).toEqual([{ name: "file_read", arguments: { path } }]);
});

test.each([
  ["把「运行 ls 是什么意思」写到 a.txt", { path: "a.txt", content: "运行 ls 是什么意思\n" }],
  ["帮我把“hello”保存到 out/a.txt 里", { path: "out/a.txt", content: "hello\n" }],
  ["把 hello world 写进文件 a.txt", { path: "a.txt", content: "hello world\n" }],
  ["把「第二行」追加到 a.txt", { path: "a.txt", content: "第二行\n", mode: "append" }],
  ["在 a.txt 里写「x = 1」", { path: "a.txt", content: "x = 1\n" }],
  ["写一个文件 a.md，内容是：\n# 标题\n正文", { path: "a.md", content: "# 标题\n正文\n" }],
  ['write "hello" to a.txt', { path: "a.txt", content: "hello\n" }],
  ['append "more" to the file logs/a.log', { path: "logs/a.log", content: "more\n", mode: "append" }],
  ['create a file called a.txt with "one two"', { path: "a.txt", content: "one two\n" }],
  ["把 a.txt 改成 再见", { path: "a.txt", content: "再见\n" }],
  ["把 a.txt 的内容改成「再见」", { path: "a.txt", content: "再见\n" }],
  ["change a.txt to goodbye", { path: "a.txt", content: "goodbye\n" }],
  ["「こんにちは」を a.txt に書いて", { path: "a.txt", content: "こんにちは\n" }],
])("%s writes", (text, expected) => {
  expect(findCalls(text)).toEqual([{ name: "file_write", arguments: expected }]);
});

describe("any offered tool by its name", () => {
  const tools = [...builtIn, "web_search", "mcp__notes__add"];

  test.each([
    ['用 web_search {"query": "海马体"}', [{ name: "web_search", arguments: { query: "海马体" } }]],
    ['use mcp__notes__add {"text":"a {b}"} please', [{ name: "mcp__notes__add", arguments: { text: "a {b}" } }]],
    ["call `time` {}", [{ name: "time", arguments: {} }]],
    ["use the time tool", [{ name: "time", arguments: {} }]],
    ['web_search {"query":"x"} を使って', [{ name: "web_search", arguments: { query: "x" } }]],
    [
      '用 shell {"command":"echo 1"}，再用 shell {"command":"用 time {}"}，用 time {}',
      [
        { name: "shell", arguments: { command: "echo 1" } },
        { name: "shell", arguments: { command: "用 time {}" } },
        { name: "time", arguments: {} },
      ],
    ],
  ])("%s", (text, calls) => {
    expect(findCalls(text, tools)).toEqual(calls);
  });

  test.each([
    ['用 web_search {"query": }', "JSON"],
    ['用 web_search {"query": "a"', "JSON"],
    ['用 web_search {"query":"a","query":"b"}', "JSON"],
    ["用 send_file {}", "send_file"],
  ])("%s is explained instead", (text, words) => {
    const reply = composeReply({ messages: [new HumanMessage(text)], tools, language: "zh", phrases });
    expect(reply.calls).toEqual([]);
    expect(reply.text).toContain(words);
  });
});

test.each([
  "不要运行 rm -rf /",
  "别执行 ls",
  "don't run rm -rf /",
  "never execute ls",
  "ls を実行しないで",
  "我每天跑步",
  "运行速度怎么样",
  "把 a.txt 改成大写",
  "change a.txt to uppercase",
  "运行 ls 会怎么样？",
  "I have to run now",
  "I run every morning",
  "时间旅行可能吗",
  "what is the time machine",
  "我没时间",
  "看看 https://example.com/index.html",
  "别把「x」写到 a.txt",
  '不要用 shell {"command":"ls"}',
  "确认",
  "[record] The question K7 about `运行 ls` waits; do not repeat it.",
  "你好",
  "",
])("%s calls nothing", (text) => {
  expect(findCalls(text)).toEqual([]);
});

test("she calls no tool that is not offered, and says why", () => {
  const reply = composeReply({ messages: [new HumanMessage("运行 ls")], tools: ["time"], language: "zh", phrases });
  expect(reply.calls).toEqual([]);
  expect(reply.text).toContain("/status");
});
