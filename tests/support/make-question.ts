import type { Question } from "../../src/store/queries/questions.ts";

/** An open question of alice's in the chat, shown as message `p1` after inbox row 10. */
export function makeQuestion(changes: Partial<Question> = {}): Question {
  return {
    id: "q1",
    code: "K7",
    session: "fake:bot:room",
    turn: "turn_1",
    interrupt: "i1",
    asker: "fake:alice",
    askerName: "alice",
    agent: null,
    state: "open",
    decision: null,
    policy: "p",
    promptMessage: "p1",
    shownAfter: 10,
    shownAt: null,
    deadline: 600_000,
    createdAt: 0,
    closedAt: null,
    closedBy: null,
    closedHow: null,
    terms: null,
    votes: [],
    routed: [],
    calls: [],
    ...changes,
  };
}
