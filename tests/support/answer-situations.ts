import type { Question } from "../../src/store/queries/questions.ts";
import { aloneAs } from "../../src/kernel/gate/find-person.ts";
import type { Decider } from "../../src/kernel/gate/may-decide.ts";
import { makeQuestion } from "./make-question.ts";

/** What people say while questions are open or were just closed, and what each of it means. */

export const now = 10_000_000;
export const here = "fake:bot:room";
export const people = {
  alice: { id: "fake:alice", role: "member", person: aloneAs("fake:alice"), place: "same-chat" },
  bob: { id: "fake:bob", role: "member", person: aloneAs("fake:bob"), place: "same-chat" },
  guest: { id: "fake:guest", role: "guest", person: aloneAs("fake:guest"), place: "same-chat" },
  owner: { id: "fake:owner", role: "owner", person: aloneAs("fake:owner"), place: "same-chat" },
} as const satisfies Record<string, Decider>;

export const one = makeQuestion();
export const two = makeQuestion({ id: "q2", code: "M3", promptMessage: "p2", shownAfter: 20 });
const dated = makeQuestion({ shownAt: 50_700 });
export const unsent = makeQuestion({ promptMessage: null, shownAfter: null });
const bobs = makeQuestion({ id: "q3", code: "B4", asker: "fake:bob", askerName: "bob", promptMessage: "p3" });

export const twin = { ...two, code: "K7" };
const unseen = { ...unsent, id: "q4", code: "U5" };
export const voted = makeQuestion({
  terms: { votes: 2, askerMayApprove: true, ask: "chat", approvers: ["fake:carol"] },
});

export const closedBy = (
  closedHow: Question["closedHow"],
  by: string,
  secondsAgo: number,
  more: Partial<Question> = {},
): Question =>
  makeQuestion({
    id: "q0",
    code: "C2",
    promptMessage: "p0",
    state: closedHow === "expiry" ? "expired" : closedHow === "stop" || closedHow === "new" ? "cancelled" : "decided",
    decision: closedHow === "words" || closedHow === "button" || closedHow === "command" ? "approved" : null,
    closedHow,
    closedBy: by,
    closedAt: now - secondsAgo * 1_000,
    ...more,
  });
export const byWords = closedBy("words", "fake:alice", 5);
export const byButton = closedBy("button", "fake:alice", 5);
export const byExpiry = closedBy("expiry", "gateway", 5);

export interface Row {
  readonly rule: string;
  readonly says: string;
  readonly who?: keyof typeof people;
  readonly quote?: string;
  /** What is quoted is not ours. */
  readonly quotesOthers?: true;
  readonly seq?: number;
  readonly sentAt?: number;
  readonly open?: readonly Question[];
  readonly closed?: readonly Question[];
  /** `decide q1`, `again q1`, `ordinary`, or the kind of the status with what it names. */
  readonly means: string;
}

export const rows: readonly Row[] = [
  { rule: "a bare word decides the only question", says: "确认", open: [one], means: "decide q1" },
  {
    rule: "a word written before the prompt and handed in late",
    says: "确认",
    sentAt: 49_000,
    open: [dated],
    means: "not-sent-yet K7",
  },
  { rule: "the same with the code", says: "确认 K7", sentAt: 49_000, open: [dated], means: "not-sent-yet K7" },
  {
    rule: "a quote shows that it was seen",
    says: "确认",
    quote: "p1",
    sentAt: 49_000,
    open: [dated],
    means: "decide q1",
  },
  { rule: "the platform counts whole seconds", says: "确认", sentAt: 50_000, open: [dated], means: "decide q1" },
  { rule: "nothing is open: ordinary talk", says: "确认", means: "ordinary" },
  { rule: "two are open: say which", says: "确认", open: [one, two], means: "several K7 M3" },
  { rule: "two are open, one is somebody else's", says: "确认", open: [one, bobs], means: "decide q1" },
  { rule: "the owner may decide both of them", says: "确认", who: "owner", open: [one, bobs], means: "several K7 B4" },
  { rule: "the code tells which", says: "确认 M3", open: [one, two], means: "decide q2" },
  { rule: "a code nobody gave", says: "确认 Z9", open: [one], means: "unknown-code Z9" },
  { rule: "the code of a closed one", says: "确认 C2", open: [one], closed: [byWords], means: "closed q0" },
  { rule: "somebody else's code", says: "确认 B4", open: [one, bobs], means: "not-yours bob" },
  {
    rule: "a code read elsewhere, before the prompt is out",
    says: "确认 K7",
    open: [unsent],
    means: "not-sent-yet K7",
  },
  { rule: "a code written before the prompt was out", says: "确认 K7", seq: 9, open: [one], means: "not-sent-yet K7" },
  { rule: "quoting the prompt tells which", says: "确认", quote: "p2", open: [one, two], means: "decide q2" },
  {
    rule: "quoting needs no silence before it",
    says: "确认",
    quote: "p1",
    open: [one],
    closed: [byButton],
    means: "decide q1",
  },
  { rule: "quoting another message", says: "确认", quote: "x", open: [one], means: "quote-the-prompt" },
  { rule: "quoting another message with a code", says: "确认 K7", quote: "x", open: [one], means: "quote-the-prompt" },
  {
    rule: "quoting one prompt with the code of another",
    says: "确认 M3",
    quote: "p1",
    open: [one, two],
    means: "quote-the-prompt",
  },
  { rule: "quoting the prompt with its own code", says: "确认 K7", quote: "p1", open: [one, two], means: "decide q1" },
  { rule: "quoting somebody else's prompt", says: "确认", quote: "p3", open: [one, bobs], means: "not-yours bob" },
  { rule: "quoting a closed prompt", says: "确认", quote: "p0", open: [one], closed: [byWords], means: "closed q0" },
  { rule: "quoting anything while nothing is open", says: "确认", quote: "x", means: "ordinary" },
  { rule: "written before the prompt was sent", says: "确认", seq: 9, open: [one], means: "not-sent-yet K7" },
  { rule: "written as the prompt was sent", says: "确认", seq: 10, open: [one], means: "not-sent-yet K7" },
  { rule: "written right after it", says: "确认", seq: 11, open: [one], means: "decide q1" },
  { rule: "the prompt is not sent yet", says: "确认", open: [unsent], means: "not-sent-yet K7" },
  { rule: "own words closed another one just now", says: "确认", open: [one], closed: [byWords], means: "decide q1" },
  { rule: "a button did", says: "确认", open: [one], closed: [byButton], means: "code-needed K7" },
  { rule: "its deadline did", says: "确认", open: [one], closed: [byExpiry], means: "code-needed K7" },
  {
    rule: "the operator did",
    says: "确认",
    open: [one],
    closed: [closedBy("command", "cli:owner", 5)],
    means: "code-needed K7",
  },
  {
    rule: "the owner's words did",
    says: "确认",
    open: [one],
    closed: [closedBy("words", "fake:owner", 5)],
    means: "code-needed K7",
  },
  {
    rule: "/stop did",
    says: "确认",
    open: [one],
    closed: [closedBy("stop", "fake:alice", 5)],
    means: "code-needed K7",
  },
  {
    rule: "a button did, 59 seconds ago",
    says: "确认",
    open: [one],
    closed: [closedBy("button", "fake:alice", 59)],
    means: "code-needed K7",
  },
  {
    rule: "a button did, a minute ago",
    says: "确认",
    open: [one],
    closed: [closedBy("button", "fake:alice", 60)],
    means: "decide q1",
  },
  {
    rule: "somebody else's question closed just now",
    says: "确认",
    open: [one],
    closed: [{ ...byExpiry, asker: "fake:bob" }],
    means: "decide q1",
  },
  {
    rule: "the owner may have meant the one that closed",
    says: "确认",
    who: "owner",
    open: [one],
    closed: [{ ...byWords, asker: "fake:bob", closedBy: "fake:bob" }],
    means: "code-needed K7",
  },
  { rule: "another member", says: "确认", who: "bob", open: [one], means: "not-yours alice" },
  { rule: "an owner in the same chat", says: "确认", who: "owner", open: [one], means: "decide q1" },
  { rule: "a guest", says: "确认", who: "guest", open: [one], means: "not-yours alice" },
  {
    rule: "a guest whose own question it is",
    says: "确认",
    who: "guest",
    open: [{ ...one, asker: "fake:guest" }],
    means: "not-allowed",
  },
  { rule: "a word for one that was confirmed", says: "确认", closed: [byWords], means: "closed q0" },
  { rule: "a word for one that expired", says: "确认", closed: [byExpiry], means: "closed q0" },
  { rule: "hours later", says: "确认", closed: [closedBy("expiry", "gateway", 7_200)], means: "closed q0" },
  {
    rule: "a decided one is history after half an hour",
    says: "确认",
    closed: [closedBy("words", "fake:alice", 1_801)],
    means: "ordinary",
  },
  { rule: "a word about somebody else's closed one", says: "确认", who: "bob", closed: [byExpiry], means: "ordinary" },
  { rule: "a preview of the only question", says: "预览", open: [one], means: "preview q1" },
  { rule: "a preview with the code", says: "preview M3", open: [one, two], means: "preview q2" },
  { rule: "a preview by quoting", says: "预览", quote: "p2", open: [one, two], means: "preview q2" },
  { rule: "a preview, but of which", says: "预览", open: [one, two], means: "several K7 M3" },
  { rule: "a preview of somebody else's", says: "预览", who: "bob", open: [one], means: "not-yours alice" },
  { rule: "a preview by code of somebody else's", says: "预览 K7", who: "bob", open: [one], means: "not-yours alice" },
  { rule: "a preview for a guest", says: "预览", who: "guest", open: [one], means: "not-yours alice" },
  { rule: "a preview for the owner", says: "预览", who: "owner", open: [bobs], means: "preview q3" },
  { rule: "a preview of what was not shown yet", says: "预览 K7", open: [unsent], means: "not-sent-yet K7" },
  { rule: "a preview right after a button", says: "预览", open: [one], closed: [byButton], means: "code-needed K7" },
  { rule: "a preview, quoting another message", says: "预览", quote: "x", open: [one], means: "quote-the-prompt" },
  { rule: "a preview of what expired", says: "预览 C2", open: [one], closed: [byExpiry], means: "closed q0" },
  { rule: "a preview of nothing", says: "预览", means: "ordinary" },
  { rule: "a code that two have", says: "确认 K7", open: [one, twin], means: "quote-the-prompt" },
  { rule: "quoting one of two that have a code", says: "确认 K7", quote: "p2", open: [one, twin], means: "decide q2" },
  { rule: "the platform's second, just in time", says: "确认", sentAt: 49_701, open: [dated], means: "decide q1" },
  { rule: "and just too early", says: "确认", sentAt: 49_700, open: [dated], means: "not-sent-yet K7" },
  { rule: "others are to approve it", says: "确认", open: [voted], means: "not-approver" },
  { rule: "others are to approve it, by quoting", says: "确认", quote: "p1", open: [voted], means: "not-approver" },
  { rule: "others are to approve it, by code", says: "确认 K7", open: [voted], means: "not-approver" },
  { rule: "others were to approve another's", says: "确认", who: "bob", open: [voted], means: "not-approver" },
  {
    rule: "somebody else's code, before its prompt is out",
    says: "确认 U5",
    who: "bob",
    open: [unseen],
    means: "not-yours alice",
  },
  { rule: "a yes of another member is never everyday", says: "yes", who: "bob", open: [one], means: "not-yours alice" },
  {
    rule: "quoting anything while only another's is open",
    says: "确认",
    who: "bob",
    quote: "x",
    open: [one],
    means: "ordinary",
  },
  {
    rule: "quoting a closed prompt while nothing is open",
    says: "确认",
    quote: "p0",
    closed: [byWords],
    means: "closed q0",
  },
  {
    rule: "quoting the second of the closed",
    says: "确认",
    quote: "p0",
    closed: [{ ...byExpiry, id: "q9", promptMessage: "p9" }, byWords],
    means: "closed q0",
  },
  {
    rule: "the code of the second of the closed",
    says: "确认 C2",
    closed: [{ ...byExpiry, id: "q9", code: "D5" }, byWords],
    means: "closed q0",
  },
  {
    rule: "its change by own words closed another",
    says: "确认",
    open: [one],
    closed: [closedBy("changed", "fake:alice", 5)],
    means: "decide q1",
  },
  {
    rule: "its change by the owner did",
    says: "确认",
    open: [one],
    closed: [closedBy("changed", "fake:owner", 5)],
    means: "code-needed K7",
  },
  {
    rule: "the second of the closed did",
    says: "确认",
    open: [one],
    closed: [byWords, byButton],
    means: "code-needed K7",
  },
  {
    rule: "one that others were to approve closed just now",
    says: "确认",
    open: [one],
    closed: [{ ...voted, id: "q0", state: "decided", closedHow: "button", closedBy: "fake:carol", closedAt: now }],
    means: "code-needed K7",
  },
  {
    rule: "one that closed at a time nobody knows",
    says: "确认",
    open: [one],
    closed: [{ ...byButton, closedAt: null }],
    means: "decide q1",
  },
  {
    rule: "a decided one, a second before half an hour",
    says: "确认",
    closed: [closedBy("words", "fake:alice", 1_799)],
    means: "closed q0",
  },
  {
    rule: "a decided one, after half an hour to the second",
    says: "确认",
    closed: [closedBy("words", "fake:alice", 1_800)],
    means: "ordinary",
  },
  {
    rule: "one that was stopped hours ago",
    says: "确认",
    closed: [closedBy("stop", "fake:alice", 7_200)],
    means: "closed q0",
  },
  {
    rule: "a word for the newest that was theirs",
    says: "确认",
    closed: [{ ...byExpiry, id: "q9", asker: "fake:bob" }, byWords],
    means: "closed q0",
  },
];
