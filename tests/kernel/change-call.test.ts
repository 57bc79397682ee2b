import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/conversation.ts";
import { changeCall } from "../../src/kernel/questions/change-call.ts";

describe("changeCall puts the words", () => {
  it.each<readonly [string, JsonObject, JsonObject]>([
    ["ls -la", { command: "ls", timeout: 30 }, { command: "ls -la", timeout: 30 }],
    ["echo 你好", { command: "ls", cwd: "a" }, { command: "echo 你好", cwd: "a" }],
    ["你好，世界", { path: "a.txt", content: "hi" }, { path: "a.txt", content: "你好，世界" }],
    ["out/b.txt", { path: "a.txt", content: "hi" }, { path: "out/b.txt", content: "hi" }],
    ["b.txt", { path: "a.txt" }, { path: "b.txt" }],
    ["天气 杭州", { query: "天气" }, { query: "天气 杭州" }],
    ["https://a.example/x", { url: "https://b.example" }, { url: "https://a.example/x" }],
    ["b", { what: "a" }, { what: "b" }],
    ["B.TXT", { file: "a.txt", lines: 3 }, { file: "B.TXT", lines: 3 }],
    ["~/a-b_c/d.markdown", { path: "a.txt" }, { path: "~/a-b_c/d.markdown" }],
    [`${"b".repeat(200)}.txt`, { path: "a.txt" }, { path: `${"b".repeat(200)}.txt` }],
    ["b.txt", { path: "a.txt", file: "c.txt", text: "hi" }, { path: "a.txt", file: "c.txt", text: "b.txt" }],
    ["HTTP://a.example", { url: "https://b.example" }, { url: "HTTP://a.example" }],
    ["~/run all", { command: "ls" }, { command: "~/run all" }],
    ["!! again", { command: "ls" }, { command: "!! again" }],
    ["save all", { command: "ls" }, { command: "save all" }],
    ["please save it", { text: "hi" }, { text: "please save it" }],
    ["saved", { text: "hi" }, { text: "saved" }],
    ...["content", "text", "query", "message", "prompt", "question"].map(
      (free) => ["two words", { [free]: "one" }, { [free]: "two words" }] as const,
    ),
    ...["path", "file", "cwd", "directory", "folder", "encoding", "mode", "language"].map(
      (aside) => ["two words", { text: "one", [aside]: "x" }, { text: "two words", [aside]: "x" }] as const,
    ),
  ])("%j into %j", (words, before, after) => {
    expect(changeCall(words, { name: "tool", arguments: before })).toEqual({ name: "tool", arguments: after });
  });
});

describe("changeCall leaves open", () => {
  it.each<readonly [string, JsonObject]>([
    ["在 out 里面跑", { command: "ls" }],
    ["写到 out 文件夹", { path: "a.txt", content: "hi" }],
    ["save it in out", { path: "a.txt", content: "hi" }],
    ["b.txt 的最后一行", { path: "a.txt" }],
    ["明天九点", { text: "喝水", when: "今天九点" }],
    ["b", { path: "a.txt", old: "x", new: "y" }],
    ["b", { from: "a.txt", to: "c.txt" }],
    ["b", { times: 3 }],
    ["b", {}],
    ["别的网站", { url: "https://b.example" }],
    ["换一个更好的 名字", { what: "a" }],
    ["别b", { what: "a" }],
    ["b.txt", { path: "a.txt", file: "c.txt" }],
    ["b.txt", { mode: "r" }],
    ...["b", "b.", "b.abcdefghi", "b.t t", "see b.txt", "!b.txt", "b.txt!", `${"b".repeat(201)}.txt`].map(
      (words) => [words, { path: "a.txt" }] as const,
    ),
    ...["ftp://a.example", "https://", "https://a.example b", "see https://a.example"].map(
      (words) => [words, { url: "https://b.example" }] as const,
    ),
    ...[" ls", "跑 ls", "\u007Fls"].map((words) => [words, { command: "ls" }] as const),
    ..."写到|寫到|放到|存到|放在|保存|另存|删|刪|不要|别|save |SAVE |write |put |append |in |into "
      .split("|")
      .map((order) => [`${order}out`, { text: "hi" }] as const),
  ])("%j for %j", (words, before) => {
    expect(changeCall(words, { name: "tool", arguments: before })).toBeUndefined();
  });
});
