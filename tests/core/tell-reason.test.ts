import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findReason, reasons, tellReason } from "../../src/core/words/tell-reason.ts";
import { workTime } from "../support/work-time.ts";

const root = join(import.meta.dirname, "../..");

/** Sentences that tools, the gate and the executor give as the reason of a call that did not work. */
function listSentences(): string[] {
  const files = [
    "src/kernel/tools/*.ts",
    "src/kernel/tools/builtin/**/*.ts",
    ...["work-tools", "reminders/tools", "memory/tools", "chatlog/tools", "memory/facts", "sub-agents"].map(
      (folder) => `src/features/${folder}/**/*.ts`,
    ),
    "src/features/summaries/*.ts",
    "src/features/memory/rec*.ts",
    "src/workspace/**/*.ts",
    "src/web/**/*.ts",
    "src/kernel/agent/**/*.ts",
  ].flatMap((pattern) => globSync(pattern, { cwd: root }));
  const literal = /(["`])((?:(?!\1)[^\n])+)\1/g;
  return files.flatMap((file) => {
    const code = readFileSync(join(root, file), "utf8")
      .replaceAll(/\/\*.*?\*\/|\/\/ .*/gs, "")
      .replaceAll(/\bdescribe\(\s*["`].*?["`],?\s*\)|\b(?:zh|en): ?(?:\n\s*)?["`].*?["`],?\n/gs, "");
    return [...code.matchAll(literal)].flatMap(([, , text = ""]) => {
      const sentence = text.replaceAll(/\$\{[^}]*\}+/g, "x");
      return /^["A-Zx].* .*[a-z)x"\]][.!]$/.test(sentence) && !forModels.test(sentence) ? [sentence] : [];
    });
  });
}

/** What is no reason: notes and instructions for the model, faults that only the log sees. */
const forModels =
  /^The person (?:stopped it|started a new|went to)|tool rounds|Your rounds|You cannot do these|This is checkpoint|Nothing outside this turn|It has begun|goes out by itself|line is too long and was cut|has used up|You write the record|In this group you hear|This person may turn it on|limits of models|The turn was stopped\.|state is gone|interrupt came|without a reply|^x x\.$|changed or runx|The first line is the name of a person|Words were compared, not|were not restored: x|Another process has (?:just )?saved the files/;

describe("a reason for people", () => {
  it("every sentence that the code can give has a reason in Chinese and Japanese", () => {
    const sentences = listSentences();
    expect(sentences.length).toBeGreaterThan(60);
    const missing = sentences.filter((sentence) => findReason(sentence, "zh") === undefined);
    expect(missing).toEqual([]);
  });

  it("holds no English outside of code marks, and takes in as many values as it uses", () => {
    for (const [sentence, zh, ja] of reasons) {
      for (const text of [zh, ja]) {
        const own = text
          .replaceAll(/`[^`]*`|\{[~\d]?\}/g, " ")
          .replaceAll(/MCP|D-Mail|JSON|Chromium|NUL|MiB|UTF-16|\/act|\/skills/g, " ");
        expect(own).not.toMatch(/[A-Za-z]{3,} [A-Za-z]{2,}/);
        expect(text.split(/\{[~\d]?\}/).length).toBeLessThanOrEqual(sentence.split(/\{~?\}/).length);
      }
    }
  });

  it("keeps values, reads a sentence inside of another, and quotes what is not ours", () => {
    expect(tellReason('There is no "a b.txt" in the workspace; look for it with glob or "ls".', "zh")).toBe(
      "工作区里没有 `a b.txt`。",
    );
    expect(tellReason('"x" is empty; nothing can be sent. Files of at most 2 MiB can be sent.', "zh")).toBe(
      "`x` 是空的，没什么可发。最大只能发 2 MiB。",
    );
    expect(tellReason("Tool error: quota `exceeded`\nfor key", "ja")).toBe("`Tool error: quota 'exceeded' for key`");
    expect(tellReason("There is no tool x.", "en")).toBe("There is no tool x.");
    expect(tellReason("The skill a is switched off in this chat; people switch it on with /skills on a.", "zh")).toBe(
      "技能 `a` 在这个聊天里关着，`/skills on a` 打开。",
    );
  });

  it("a sentence that tells the model what to do has English of its own for people", () => {
    const withMore = reasons.filter(
      ([sentence, , , en = ""]) => en.split("{}").length > sentence.split(/\{~?\}/).length,
    );
    expect(withMore).toEqual([]);
    const asked = "Exactly this call was asked already as K7 and waits for the person's answer. Do not ask it again.";
    expect(tellReason(asked, "en")).toBe("I asked you about this already: K7 still waits for an answer.");
  });

  it("tellReason reads a reason in linear time", () => {
    const begun = workTime();
    for (const piece of ['"', "There is no tool ", " It did not run.", ": "]) tellReason(piece.repeat(4_000), "zh");
    expect(workTime() - begun).toBeLessThan(5_000);
  });
});
