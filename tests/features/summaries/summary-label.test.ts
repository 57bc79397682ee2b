import { expect, it } from "vitest";
import { labelHistory, type HistoryMessage } from "../../../src/kernel/agent/history-label.ts";
import type { Speaker, Taint } from "../../../src/core/conversation.ts";

const of = (id: string, taint: Taint = "user"): Speaker => ({ id, name: id, taint });
const summary = (taint: Taint, ...speakers: readonly Speaker[]): HistoryMessage => ({
  role: "note",
  text: "…",
  turn: null,
  sources: [],
  taint,
  speakers,
});

it.each([
  ["their own words stay theirs", "private", summary("user", of("alice")), "user"],
  ["what was untrusted stays it", "private", summary("untrusted", of("alice")), "untrusted"],
  ["what was exposed stays it", "private", summary("exposed", of("alice")), "exposed"],
  ["another's words are no order", "group", summary("user", of("alice"), of("bob")), "untrusted"],
  ["an owner's words expose", "group", summary("user", of("alice"), of("boss", "owner")), "exposed"],
  ["words of nobody known are another's in a group", "group", summary("user", of("")), "untrusted"],
  ["and the person's own in private", "private", summary("user", of("")), "user"],
  ["more people than can be named are strangers", "private", summary("user", of("*", "untrusted")), "untrusted"],
] as const)("a summary for alice: %s", (_, chatKind, message, taint) => {
  const reader = { person: { id: "alice" }, chatKind, language: "zh" } as const;
  expect(labelHistory([message], reader).taint).toBe(taint);
  expect(labelHistory([message], reader).named).toEqual([]);
});
