import { RequestError, type AgentContext } from "@agentclientprotocol/sdk";
import { expect, it } from "vitest";
import type { CommandLineEvent } from "../../src/channels/terminal/events.ts";
import { createPermissionDialogs } from "../../src/cli/acp/permission-dialogs.ts";
import { wordsFor } from "../../src/core/words/words.ts";

const question = {
  type: "approval",
  id: "q1",
  code: "K7",
  calls: [],
  expiresAt: "",
  text: "写 one？",
  turn: "t",
  cause: "c",
} satisfies CommandLineEvent;

it.each([
  ["the editor refuses it", RequestError.methodNotFound("session/request_permission")],
  ["another fault", new Error("the answer is no answer")],
])("a dialog that fails is shown as text, and opens again when it is asked for: %s", async (_, fault) => {
  const faults: Error[] = [fault];
  const said: string[] = [];
  const pressed: string[] = [];
  const client = {
    request: () => {
      const next = faults.shift();
      return next ? Promise.reject(next) : Promise.resolve({ outcome: { outcome: "selected", optionId: "approved" } });
    },
  } as unknown as AgentContext;
  const dialogs = createPermissionDialogs({
    id: "session",
    client,
    signal: new AbortController().signal,
    words: wordsFor("zh").editor,
    press: (id, decision) => Promise.resolve(pressed.push(`${id} ${decision}`)).then(() => "press"),
    isStopping: () => false,
    say: ({ text }) => void said.push(text),
    onPressed: () => undefined,
  });
  await dialogs.open(question);
  expect([said, pressed]).toEqual([["写 one？"], []]);
  await dialogs.open(question);
  expect([said, pressed]).toEqual([["写 one？"], ["q1 approved"]]);
  expect(dialogs.find("q1")).toMatchObject({ turn: "t" });
  dialogs.forget("q1");
  expect(dialogs.find("q1")).toBeUndefined();
});
