import { describe, expect, it } from "vitest";
import { bindChange, type ChangeBinding } from "../../src/kernel/questions/bind-change.ts";
import { makeQuestion } from "../support/make-question.ts";

const mine = makeQuestion();
const alsoMine = makeQuestion({ id: "q2", code: "M3", promptMessage: "p2" });
const theirs = makeQuestion({ id: "q3", code: "B4", promptMessage: "p3", asker: "fake:bob" });
const unsent = makeQuestion({ id: "q4", code: "U5", promptMessage: null, shownAfter: null });

type Situation = Partial<Parameters<typeof bindChange>[0]>;
const change = (question: typeof mine): ChangeBinding => ({ kind: "change", question });
const ordinary: ChangeBinding = { kind: "ordinary" };
const quote = (messageId: string) => ({ quote: { messageId } });

describe("a wish to change a question", () => {
  it.each<[string, Situation, ChangeBinding]>([
    ["is for the only one there is", { open: [mine] }, change(mine)],
    ["is talk when there is none", { open: [] }, ordinary],
    ["is for one's own, not for another person's", { open: [theirs, mine] }, change(mine)],
    ["is talk about another person's, also with its code", { open: [theirs], wish: { code: "B4" } }, ordinary],
    ["is talk about another person's, also as an answer to it", { open: [theirs], ...quote("p3") }, ordinary],
    ["is for none that was not sent yet", { open: [unsent] }, ordinary],
    ["is for the one that was sent", { open: [unsent, mine] }, change(mine)],
    ["is for none that was sent after it", { open: [mine], seq: 9 }, ordinary],
    ["nor for one that was sent with it", { open: [mine], seq: 10 }, ordinary],
    ["is not clear with two", { open: [mine, alsoMine, theirs] }, { kind: "several", codes: ["K7", "M3"] }],
    ["is clear with a code", { open: [mine, alsoMine], wish: { code: "M3" } }, change(alsoMine)],
    ["is talk with a code of none", { open: [mine, alsoMine], wish: { code: "X9" } }, ordinary],
    ["is clear as an answer", { open: [mine, alsoMine], ...quote("p2") }, change(alsoMine)],
    ["is talk as an answer to something else", { open: [mine], ...quote("p9") }, ordinary],
    ["is talk when code and answer differ", { open: [mine, alsoMine], wish: { code: "K7" }, ...quote("p2") }, ordinary],
  ])("%s", (_, situation, binding) => {
    const usual = { wish: {}, quote: undefined, by: "fake:alice", seq: 11 };
    expect(bindChange({ ...usual, open: [], ...situation })).toEqual(binding);
  });
});
