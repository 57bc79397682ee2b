import { describe, expect, it } from "vitest";
import type { QuestionsView } from "../../src/console/views/question-views.ts";
import { openMembers, type AskAs } from "../support/console/open-members.ts";
import { codeOf } from "../support/gateway.ts";

describe("an owner who came from their chat", () => {
  it("an owner has one vote of two, in the chat and in the console together, and the machine's owner has the other one", async () => {
    const { askWith, kurisu, server, signIn } = await openMembers();
    const approval = { votes: 2, askerMayApprove: true, ask: "chat" as const, approvers: ["owner"] };
    kurisu.rules.current = { ...kurisu.rules.current, rules: [{ tool: "poke", level: "confirm", approval }] };
    const phone = askWith(await signIn("owner"));
    const machine = askWith(await server.addLogin("owner"));
    await kurisu.say("poke a", { user: "alice", chat: "room", group: true });
    await kurisu.say(`确认 ${codeOf(kurisu.lastPrompt())}`, { user: "owner", chat: "room", group: true });
    const approve = async (ask: AskAs) => {
      const [question] = ((await ask("GET", "/questions")).view as QuestionsView).open;
      const calls = question?.calls.map(({ call, hash }) => ({ call, hash }));
      const { view } = await ask("POST", `/questions/${question?.id}/decision`, { decision: "approved", calls });
      await kurisu.settle();
      return view;
    };
    expect(await approve(phone)).toMatchObject({ state: "open", votes: { have: 1, need: 2, yours: true } });
    expect(kurisu.did()).toEqual([]);
    expect(await approve(machine)).toMatchObject({ state: "approved" });
    expect(kurisu.did()).toEqual(["a"]);
  });
});
