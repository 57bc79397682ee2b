import { describe, expect, it } from "vitest";
import { changeCall } from "../../src/gateway/approvals/change-call.ts";

describe("changeCall puts the words", () => {
  it.each([
    ["ls -la", { command: "ls", timeout: 30 }, { command: "ls -la", timeout: 30 }],
    ["echo 你好", { command: "ls", cwd: "a" }, { command: "echo 你好", cwd: "a" }],
    ["你好，世界", { path: "a.txt", content: "hi" }, { path: "a.txt", content: "你好，世界" }],
    ["out/b.txt", { path: "a.txt", content: "hi" }, { path: "out/b.txt", content: "hi" }],
    ["b.txt", { path: "a.txt" }, { path: "b.txt" }],
    ["天气 杭州", { query: "天气" }, { query: "天气 杭州" }],
    ["https://a.example/x", { url: "https://b.example" }, { url: "https://a.example/x" }],
    ["b", { what: "a" }, { what: "b" }],
  ])("%j into %j", (words, before, after) => {
    expect(changeCall(words, { name: "tool", arguments: before })).toEqual({ name: "tool", arguments: after });
  });
});

describe("changeCall leaves open", () => {
  it.each([
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
  ])("%j for %j", (words, before) => {
    expect(changeCall(words, { name: "tool", arguments: before })).toBeUndefined();
  });
});
