import { AIMessage, HumanMessage, SystemMessage, ToolMessage, type BaseMessage } from "@langchain/core/messages";
import type { ConversationMessage } from "../core/conversation.ts";
import type { TurnStateValue } from "./state.ts";

/**
 * What the model reads, in an order that keeps its cache warm: persona and rules, the conversation, then what changes
 * (time, who speaks, skills, the new message), then what this turn did so far.
 */
export function buildPrompt(
  state: TurnStateValue,
  systemPrompt: string,
  history: readonly (ConversationMessage & { readonly turn: string | null })[],
): BaseMessage[] {
  const { input } = state;
  const inGroup = input.chatKind === "group";
  const [own, before] = [history.at(-1), history.slice(0, -1)];
  const messages: BaseMessage[] = [new SystemMessage(systemPrompt)];
  for (const message of before) messages.push(toLangChain(message, message.turn ?? "", inGroup));
  for (const example of state.examples) messages.push(markExample(toLangChain(example, "example", false)));
  const text = own?.role === "user" ? renderUser(own, inGroup) : input.text;
  messages.push(new HumanMessage(`<context>\n${describeContext(state)}\n</context>\n\n${text}`));
  for (const message of state.transcript) messages.push(toLangChain(message, input.turn, inGroup));
  if (state.instruction !== "") {
    if (state.draft !== "") messages.push(new AIMessage(state.draft));
    messages.push(new HumanMessage(`[record] ${state.instruction}`));
  }
  return messages;
}

/** A reply that was never given must not look like one; the mark does not reach the model server. */
function markExample(message: BaseMessage): BaseMessage {
  message.additional_kwargs = { ...message.additional_kwargs, example: true };
  return message;
}

function describeContext({ moment, input, knowledge }: TurnStateValue): string {
  const lines = [`now: ${moment}`, `speaking: ${oneLine(input.person.name)} (${input.person.role})`];
  if (knowledge !== "") lines.push(knowledge);
  return lines.join("\n");
}

function toLangChain(message: ConversationMessage, turn: string, inGroup: boolean): BaseMessage {
  switch (message.role) {
    case "user":
      return new HumanMessage(renderUser(message, inGroup));
    case "note":
      return new HumanMessage(`[record] ${message.text}`);
    case "assistant":
      return new AIMessage({
        content: message.text,
        tool_calls: message.calls.map((call) => ({
          type: "tool_call",
          id: toWireId(turn, call.id),
          name: call.name,
          args: { ...call.arguments },
        })),
      });
    case "tool":
      return new ToolMessage({
        content: message.text,
        tool_call_id: toWireId(turn, message.callId),
        name: message.tool,
        status: message.ok ? "success" : "error",
      });
  }
}

/** Our call ids count per turn; servers want them unique over the whole request, in letters, digits, `_` and `-`. */
function toWireId(turn: string, call: string): string {
  return `${turn}_${call}`.replaceAll(/[^\w-]/g, "-");
}

/** A person's text cannot pose as a record of the gateway or as the context block. */
function renderUser(message: Extract<ConversationMessage, { role: "user" }>, inGroup: boolean): string {
  const text = message.text.replaceAll(/<(\/?)context>/gi, "‹$1context›").replace(/^\[record\]/i, "［record］");
  return inGroup ? `${oneLine(message.senderName)}: ${text}` : text;
}

function oneLine(name: string): string {
  return name
    .replaceAll(/[\p{C}\s]+/gu, " ")
    .trim()
    .slice(0, 64);
}
