import { describe, expect, it } from "vitest";
import { wordsFor } from "../../src/core/words/words.ts";
import { readAnswerWords } from "../../src/kernel/questions/approval-words.ts";
import { bindAnswer, type Binding } from "../../src/kernel/questions/bind-answer.ts";
import { describeCard } from "../../src/kernel/questions/question-cards.ts";
import { describeStatus } from "../../src/kernel/questions/render-status.ts";
import { mayDecide } from "../../src/kernel/gate/may-decide.ts";
import { byExpiry, closedBy, here, now, people, rows as answerRows, type Row } from "../support/answer-situations.ts";
import { refusalRows } from "../support/refusal-situations.ts";

const rows = [...answerRows, ...refusalRows];

function describeBinding(binding: Binding): string {
  if (binding.kind === "ordinary") return "ordinary";
  if (binding.kind !== "status") return `${binding.kind} ${binding.question.id}`;
  const { status } = binding;
  switch (status.kind) {
    case "several":
      return `several ${status.codes.join(" ")}`;
    case "code-needed":
    case "not-sent-yet":
    case "unknown-code":
      return `${status.kind} ${status.code}`;
    case "not-yours":
      return `not-yours ${status.asker}`;
    case "closed":
      return `closed ${status.question.id}`;
    case "not-allowed":
    case "not-approver":
    case "quote-the-prompt":
      return status.kind;
  }
}

function bind(row: Row): Binding {
  const words = readAnswerWords(row.says);
  if (!words) throw new Error(`${row.says} is no answer`);
  const decider = people[row.who ?? "alice"];
  return bindAnswer({
    words,
    quote: row.quote === undefined ? undefined : { messageId: row.quote, fromUs: row.quotesOthers !== true },
    seq: row.seq ?? 100,
    sentAt: row.sentAt ?? now,
    now,
    decider,
    mayDecide: (question) => mayDecide(question, decider, words.kind === "reject" ? "rejected" : "approved"),
    open: row.open ?? [],
    closed: row.closed ?? [],
  });
}

describe("bindAnswer", () => {
  it.each(rows)("$rule: $says → $means", (row) => {
    expect(describeBinding(bind(row))).toBe(row.means);
  });

  it.each(["zh", "en", "ja"] as const)("bindAnswer has a text in %s for every status", (language) => {
    const texts = rows.flatMap((row) => {
      const binding = bind(row);
      const said = readAnswerWords(row.says)?.kind ?? "approve";
      return binding.kind === "status"
        ? [
            describeStatus(binding.status, {
              words: wordsFor(language),
              language,
              said,
              typed: row.says,
              session: here,
            }).text,
          ]
        : [];
    });
    expect(texts.filter((text) => text.trim() === "")).toEqual([]);
    expect(texts.length).toBeGreaterThan(20);
    for (const row of rows.filter(({ says }) => !/确认|yes/.test(says))) {
      const binding = bind(row);
      const text =
        binding.kind === "status"
          ? describeStatus(binding.status, {
              words: wordsFor(language),
              language,
              said: readAnswerWords(row.says)?.kind ?? "approve",
              typed: row.says,
              session: here,
            }).text
          : "";
      expect(text).not.toMatch(/「确认|"confirm|「承認|可确认的事|to confirm/);
    }
  });
});

const call = {
  call: "1.0",
  tool: "shell",
  arguments: {},
  hash: "h",
  summary: "ls",
  detail: "ls",
  network: [],
  because: [],
  scope: null,
} as const;

describe("describeStatus and describeCard", () => {
  const words = wordsFor("zh");
  it.each([
    [closedBy("words", "fake:alice", 5), "已经确认过", "已确认"],
    [closedBy("words", "fake:alice", 5, { decision: "rejected" }), "已经取消", "已取消"],
    [byExpiry, "已经过期", "已过期"],
    [closedBy("stop", "fake:alice", 5), "已经作废", "已作废"],
  ])("tell what became of a question (%#)", (question, status, card) => {
    expect(
      describeStatus(
        { kind: "closed", question },
        { words, language: "zh", said: "approve", typed: "确认", session: here },
      ).text,
    ).toContain(status);
    expect(describeCard(question, { name: "alice", time: "12:00" }, words)).toContain(card);
  });

  it.each([
    [closedBy("words", "fake:alice", 5), "zh", "✓ 已确认 · shell ls · alice · 12:00"],
    [closedBy("words", "fake:alice", 5), "en", "✓ Confirmed · shell ls · alice · 12:00"],
    [closedBy("button", "fake:alice", 5, { decision: "rejected" }), "ja", "✗ キャンセル · shell ls · alice · 12:00"],
    [byExpiry, "zh", "⌛ 已过期，没有执行 · shell ls · 12:00"],
    [closedBy("stop", "fake:alice", 5), "en", "⊘ Void, not run · shell ls · 12:00"],
    [closedBy("changed", "fake:alice", 5, { state: "cancelled" }), "zh", "✎ 换个做法，这个没有执行 · shell ls · 12:00"],
  ] as const)("keep one line of what was decided (%#)", (question, language, line) => {
    const calls = [
      {
        ...call,
        tool: "shell",
        summary: "ls",
        state: question.decision === "approved" ? "approved" : "rejected",
      } as const,
    ];
    expect(describeCard({ ...question, calls }, { name: "alice", time: "12:00" }, wordsFor(language))).toBe(line);
  });

  it("put no second line and nothing hidden into it, and name those who voted", () => {
    const summary = `ls\n✓ 已确认 · \u202Ex${"y".repeat(100)}`;
    const calls = [{ ...call, tool: "shell", summary, state: "approved" } as const];
    const terms = { votes: 2, askerMayApprove: true, ask: "chat" } as const;
    const votes = [
      { person: "fake:a", name: "甲" },
      { person: "fake:b", name: "乙\n丙" },
    ];
    const one = closedBy("words", "fake:b", 5, { calls, terms, votes });
    const line = describeCard(one, { name: "乙", time: "12:00" }, words);
    expect(line).toMatch(/^✓ 已确认 · shell ls ✓ 已确认 · ⟨U\+202E⟩x.*… *y+ · 甲, 乙 丙 · 12:00$/u);
    const parts = [
      { ...call, state: "approved" },
      { ...call, summary: "b", state: "rejected" },
      { ...call, summary: "c", state: "consumed" },
    ] as const;
    expect(describeCard({ ...one, terms: null, calls: parts }, { name: "甲", time: "12:00" }, words)).toMatch(
      /^✓ 只确认了 1, 3 · .*; .* c · 甲 · 12:00$/u,
    );
  });
});
