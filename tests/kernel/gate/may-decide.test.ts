import { describe, expect, it } from "vitest";
import type { AccountLink } from "../../../src/store/queries/account-links.ts";
import type { Question } from "../../../src/store/queries/questions.ts";
import { defaultTerms } from "../../../src/kernel/gate/approval-terms.ts";
import { aloneAs, toPerson } from "../../../src/kernel/gate/find-person.ts";
import { mayDecide, placeOf, type Decider } from "../../../src/kernel/gate/may-decide.ts";
import type { ApprovalTerms } from "../../../src/kernel/gate/types.ts";
import { makeQuestion } from "../../support/make-question.ts";

const on = (terms: Partial<ApprovalTerms>): Question => makeQuestion({ terms: { ...defaultTerms, ...terms } });
const usual = makeQuestion();
const named = on({ approvers: ["fake:carol", "trusted"] });
const notOwn = on({ askerMayApprove: false });
const routed = on({ ask: "owner" });

type Row = readonly [Question, Decider["id"], Decider["role"], Decider["place"], yes: boolean, no: boolean];

/** alice asked. A yes and a no of the same person from the same place. */
const rows: Readonly<Record<string, readonly Row[]>> = {
  "on the usual terms": [
    [usual, "fake:alice", "member", "same-chat", true, true],
    [usual, "fake:alice", "trusted", "same-chat", true, true],
    [usual, "fake:alice", "guest", "same-chat", false, false],
    [usual, "fake:alice", "owner", "same-chat", true, true],
    [usual, "fake:alice", "member", "elsewhere", false, false],
    [usual, "fake:bob", "member", "same-chat", false, false],
    [usual, "fake:bob", "trusted", "same-chat", false, false],
    [usual, "fake:bob", "guest", "same-chat", false, false],
    [usual, "fake:bob", "owner", "same-chat", true, true],
    [usual, "fake:bob", "owner", "elsewhere", false, false],
    [usual, "cli:owner", "member", "command", true, true],
    [usual, "console", "member", "console", true, true],
  ],
  "with approvers named": [
    [named, "fake:carol", "member", "same-chat", true, true],
    [named, "fake:carol", "guest", "same-chat", true, true],
    [named, "fake:carol", "member", "elsewhere", false, false],
    [named, "fake:dave", "trusted", "same-chat", true, true],
    [named, "fake:dave", "member", "same-chat", false, false],
    [named, "fake:alice", "member", "same-chat", false, true],
    [named, "fake:alice", "guest", "same-chat", false, false],
    [named, "fake:bob", "owner", "same-chat", false, true],
    [named, "cli:owner", "owner", "command", false, true],
    [named, "console", "owner", "console", false, true],
  ],
  "where nobody may approve what they asked": [
    [notOwn, "fake:alice", "member", "same-chat", false, true],
    [notOwn, "fake:alice", "owner", "same-chat", false, true],
    [notOwn, "fake:alice", "guest", "same-chat", false, false],
    [notOwn, "fake:bob", "owner", "same-chat", true, true],
    [notOwn, "fake:bob", "member", "same-chat", false, false],
    [notOwn, "cli:owner", "owner", "command", true, true],
    [notOwn, "fake:alice", "owner", "command", false, true],
  ],
  "where the owner is asked": [
    [routed, "fake:alice", "member", "same-chat", false, true],
    [routed, "fake:alice", "member", "own-chat", false, true],
    [routed, "fake:alice", "owner", "own-chat", false, true],
    [routed, "fake:alice", "guest", "own-chat", false, false],
    [routed, "fake:bob", "owner", "own-chat", false, true],
    [routed, "fake:bob", "owner", "same-chat", true, true],
    [routed, "fake:bob", "member", "same-chat", false, false],
    [routed, "console", "member", "console", true, true],
  ],
};

describe.each(Object.entries(rows))("%s", (_, cases) => {
  it.each(cases)("mayDecide for $1 as $2 from $3: approve $4, reject $5", (question, id, role, place, yes, no) => {
    const decider = { id, role, person: aloneAs(id), place };
    expect([mayDecide(question, decider, "approved"), mayDecide(question, decider, "rejected")]).toEqual([yes, no]);
  });
});

describe("a person with several accounts", () => {
  const link = (account: string, more: Partial<AccountLink> = {}): AccountLink => ({
    account,
    human: "u1",
    acts: 1,
    linked_at: 1,
    ended_at: null,
    ...more,
  });
  const asked = { createdAt: 1_000 };
  const may = (question: Question, id: string, links: readonly AccountLink[]) => {
    const decider = { id, role: "member", person: toPerson(id, links), place: "same-chat" } as const;
    return [
      mayDecide({ ...question, ...asked }, decider, "approved"),
      mayDecide({ ...question, ...asked }, decider, "rejected"),
    ];
  };
  const both = [link("fake:alice"), link("fake:bob")];

  it.each([
    ["says yes to their own request by the account that asked only", usual, "fake:bob", both, [false, true]],
    [
      "is the asker by each of them",
      on({ askerMayApprove: false, approvers: ["fake:bob"] }),
      "fake:bob",
      both,
      [false, true],
    ],
    [
      "was the asker when it was asked, whatever was unlinked since",
      on({ askerMayApprove: false, approvers: ["fake:bob"] }),
      "fake:bob",
      [link("fake:alice"), link("fake:bob", { ended_at: 1_000 })],
      [false, true],
    ],
    [
      "is somebody else if it was unlinked before",
      on({ askerMayApprove: false, approvers: ["fake:bob"] }),
      "fake:bob",
      [link("fake:alice"), link("fake:bob", { ended_at: 999 })],
      [true, true],
    ],
    ["is an approver by each of them", named, "fake:bob", [link("fake:carol"), link("fake:bob")], [true, true]],
    [
      "is no approver by one that was linked from a group",
      named,
      "fake:bob",
      [link("fake:carol", { acts: 0 }), link("fake:bob")],
      [false, false],
    ],
    [
      "is no approver by another one where their own was linked from a group",
      named,
      "fake:bob",
      [link("fake:carol"), link("fake:bob", { acts: 0 })],
      [false, false],
    ],
    [
      "is an approver no more by one that was unlinked",
      named,
      "fake:bob",
      [link("fake:carol", { ended_at: 2_000 }), link("fake:bob")],
      [false, false],
    ],
    [
      "is not somebody of another human",
      named,
      "fake:bob",
      [link("fake:carol", { human: "u2" }), link("fake:bob")],
      [false, false],
    ],
  ] as const)("%s", (_, question, id, links, expected) => {
    expect(may(question, id, links)).toEqual(expected);
  });
});

describe("the relation of a chat to a question", () => {
  const prompt = { session: "fake:bot:owner" } as Question["routed"][number];
  const sent = makeQuestion({ terms: { ...defaultTerms, ask: "owner" }, routed: [prompt] });

  it.each([
    ["its own chat", usual, "fake:bot:room", "same-chat"],
    ["another chat", usual, "fake:bot:other", "elsewhere"],
    [
      "a chat that was once asked, of a question that is asked at home",
      makeQuestion({ routed: [prompt] }),
      "fake:bot:owner",
      "elsewhere",
    ],
    ["a chat it was sent to", sent, "fake:bot:owner", "same-chat"],
    ["the chat it comes from", sent, "fake:bot:room", "own-chat"],
    ["any other", sent, "fake:bot:other", "elsewhere"],
    ["another, before it was sent anywhere", routed, "fake:bot:owner", "elsewhere"],
  ] as const)("%s", (_, question, session, place) => {
    expect(placeOf(question, session)).toBe(place);
  });
});
