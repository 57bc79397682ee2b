import { expect, test } from "vitest";
import { readChoice } from "../../../../src/features/memory/preferences/read-choice.ts";

test.each([
  ["改成 写到 out 文件夹", "a.md", "out/a.md", { topic: "folder", value: "out/" }],
  ["K7 改成 写到 资料/七月 里", "a.md", "资料/七月/a.md", { topic: "folder", value: "资料/七月/" }],
  ["> 之前的话\n\n改成 out", "old/a.md", "/workspace/out/a.md", { topic: "folder", value: "out/" }],
  ["change it to the folder reports", "a.md", "reports/a.md", { topic: "folder", value: "reports/" }],
  ["out フォルダに変えて", "a.md", "out/a.md", { topic: "folder", value: "out/" }],
  ["改成 csv", "a.md", "a.csv", { topic: "ending", value: ".csv" }],
  ["改成 markdown", "a.txt", "a.md", { topic: "ending", value: ".md" }],
])("%j is a plain choice of a place", (said, before, after, choice) =>
  expect(readChoice(said, { name: "path", before, after })).toEqual(choice),
);

test.each([
  ["改成 英文", { topic: "language", value: "英文" }],
  ["改成 短一点，用日语写", { topic: "language", value: "日语" }],
  ["change to English", { topic: "language", value: "English" }],
  ["改成 表格", { topic: "format", value: "表格" }],
  ["改成 a table", { topic: "format", value: "table" }],
])("%j is a plain choice of a manner", (said, choice) =>
  expect(readChoice(said, { name: "content", before: "x", after: "y" })).toEqual(choice),
);

test.each([
  // What it is about.
  ["改成 写到 b.txt", "path", "a.txt", "b.txt"],
  ["改成 写到 b.csv", "path", "a.txt", "b.csv"],
  ["改成 钥匙在门垫下", "content", "x", "y"],
  ["改成 给英文老师的信", "content", "x", "y"],
  // The model's idea, not the person's.
  ["改成 别的地方", "path", "a.md", "out/a.md"],
  ["改成 output 那边", "path", "a.md", "out/a.md"],
  ["改成 短一点", "path", "a.md", "a.csv"],
  // Other people's words.
  ["> 改成 写到 out 文件夹\n\n改成 别的地方", "path", "a.md", "out/a.md"],
  ["写到 out 文件夹", "path", "a.md", "out/a.md"],
  // Nothing that anybody wants to see noted.
  ["改成 写到 token 文件夹", "path", "a.md", "token/a.md"],
  ["改成 写到 不用确认 文件夹", "path", "a.md", "不用确认/a.md"],
  ["改成 写到 13800138000", "path", "a.md", "13800138000/a.md"],
  ["改成 写到 a/b/c/d", "path", "a.md", "a/b/c/d/a.md"],
  ["改成 写到 ../out", "path", "a.md", "../out/a.md"],
  [`改成 写到 out ${"长".repeat(300)}`, "path", "a.md", "out/a.md"],
])("%j for %s is none", (said, name, before, after) =>
  expect(readChoice(said, { name, before, after })).toBeUndefined(),
);

test("a choice is read only where words replaced words", () => {
  expect(readChoice("改成 out", { name: "path", before: undefined, after: "out/a.md" })).toBeUndefined();
  expect(readChoice("改成 3", { name: "count", before: 5, after: 3 })).toBeUndefined();
});
