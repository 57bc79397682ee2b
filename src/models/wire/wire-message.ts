import { AIMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import type { BaseMessage } from "@langchain/core/messages";
import type { JsonObject } from "../../core/conversation.ts";
import type { KeptAnswer } from "../../core/kept-answer.ts";
import { isExample } from "../is-example.ts";
import { isInputPart } from "../write-part.ts";
import type { InputPart } from "../../core/content-part.ts";

/** A message as all servers have it. What a turn did stays together: results follow their calls. */
export type WireMessage =
  | { readonly role: "system"; readonly text: string }
  | {
      readonly role: "user";
      readonly text: string;
      readonly parts: readonly InputPart[];
      /** The first message of what is to be answered; all before it is history. */
      readonly isNewest?: true;
      /** A record of the gateway, not the words of a speaker. */
      readonly isRecord?: true;
    }
  | {
      readonly role: "assistant";
      readonly text: string;
      readonly calls: readonly WireCall[];
      readonly kept?: KeptAnswer;
      readonly isExample?: true;
    }
  | { readonly role: "result"; readonly call: string; readonly text: string; readonly failed: boolean };

interface WireCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
}

type AssistantMessage = Extract<WireMessage, { role: "assistant" }>;
type ResultMessage = Extract<WireMessage, { role: "result" }>;

/** LangChain's messages in our own form. Empty answers are left out: servers refuse a request that holds one. */
export function toWireMessages(messages: readonly BaseMessage[]): readonly WireMessage[] {
  const newest = messages.findLastIndex((message) => message.text.startsWith("<context>"));
  return messages.flatMap((message, index): WireMessage[] => {
    if (AIMessage.isInstance(message)) return toAssistant(message);
    if (ToolMessage.isInstance(message)) {
      const { status, text, tool_call_id: call } = message;
      return [{ role: "result", call, text, failed: status === "error" }];
    }
    if (SystemMessage.isInstance(message)) return [{ role: "system", text: message.text }];
    const { content, text } = message;
    const parts = Array.isArray(content) ? content.filter(isInputPart) : [];
    return [
      {
        role: "user",
        text: Array.isArray(content) ? joinTexts(content) : text,
        parts,
        ...(index === newest && { isNewest: true }),
        ...(text.startsWith("[record]") && { isRecord: true }),
      },
    ];
  });
}

function joinTexts(content: readonly object[]): string {
  return content.flatMap((block) => ("text" in block ? [String(block.text)] : [])).join("\n");
}

function toAssistant(message: AIMessage): WireMessage[] {
  const calls = (message.tool_calls ?? []).map(({ args, id = "", name }) => ({
    id,
    name,
    arguments: args as JsonObject,
  }));
  if (calls.length === 0 && message.text.trim() === "") return [];
  const kept = message.additional_kwargs["kept"] as KeptAnswer | undefined;
  return [
    {
      role: "assistant",
      text: message.text,
      calls,
      ...(kept && { kept }),
      ...(isExample(message) && { isExample: true }),
    },
  ];
}

/** Every call is followed by its result, and every result has its call: no server takes anything else. */
export function pairResults(messages: readonly WireMessage[]): readonly WireMessage[] {
  const paired: WireMessage[] = [];
  for (let at = 0; at < messages.length; at += 1) {
    const message = messages[at];
    if (message === undefined || message.role === "result") continue;
    paired.push(message);
    if (message.role !== "assistant" || message.calls.length === 0) continue;
    const results = takeResults(messages, at + 1);
    for (const { id } of message.calls) {
      paired.push(results.find(({ call }) => call === id) ?? { ...lostResult, call: id });
    }
  }
  return paired;
}

const lostResult = {
  role: "result",
  text: '{"ok":false,"status":"unknown","error":"What came of this call is not known."}',
  failed: true,
} as const;

/** The results of a round may have words of the person between them; those stay behind the results. */
function takeResults(messages: readonly WireMessage[], from: number): readonly ResultMessage[] {
  const end = messages.findIndex((message, index) => index >= from && message.role === "assistant");
  return messages.slice(from, end < 0 ? undefined : end).filter((message) => message.role === "result");
}

/**
 * Calls that this server cannot be shown, in words: what was called and its result. All of a message or none, because
 * what a provider wants back belongs to the whole.
 */
export function tellCalls(
  messages: readonly WireMessage[],
  isTold: (message: AssistantMessage) => boolean,
): readonly WireMessage[] {
  const told = new Set<AssistantMessage>();
  let last: AssistantMessage | undefined;
  return messages.flatMap((message): WireMessage[] => {
    if (message.role === "assistant") {
      last = message;
      if (message.calls.length === 0 || !isTold(message)) return [message];
      told.add(message);
      return message.text.trim() === "" ? [] : [{ role: "assistant", text: message.text, calls: [] }];
    }
    if (message.role !== "result" || last === undefined || !told.has(last)) return [message];
    const call = last.calls.find(({ id }) => id === message.call);
    const what = `${call?.name ?? "a tool"} ${JSON.stringify(call?.arguments ?? {})}`;
    return [
      { role: "user", text: `[record] You called ${what}. The result: ${message.text}`, parts: [], isRecord: true },
    ];
  });
}

/** Neighbours of one role become one message; a person's words right after a result get an answer between them. */
export function mergeNeighbours(messages: readonly WireMessage[]): readonly WireMessage[] {
  const merged: WireMessage[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role === "user" && message.role === "user") {
      merged[merged.length - 1] = {
        ...last,
        ...message,
        text: `${last.text}\n\n${message.text}`,
        parts: [...last.parts, ...message.parts],
      };
    } else if (last?.role === "assistant" && message.role === "assistant" && last.calls.length === 0) {
      merged[merged.length - 1] = { ...message, text: [last.text, message.text].filter(Boolean).join("\n\n") };
    } else {
      if (last?.role === "result" && message.role === "user") merged.push(pause);
      if ((last === undefined || last.role === "system") && message.role === "assistant") merged.push(beginning);
      merged.push(message);
    }
  }
  return merged;
}

const pause: WireMessage = { role: "assistant", text: "…", calls: [] };
/** Conversations begin with a person. */
export const beginning: WireMessage = { role: "user", text: "…", parts: [] };

/** For a server that knows no system message: its text before the first words of a person. */
export function foldSystem(messages: readonly WireMessage[]): readonly WireMessage[] {
  const system = messages.flatMap((message) => (message.role === "system" ? [message.text] : [])).join("\n\n");
  if (system === "") return messages;
  const rest = messages.filter(({ role }) => role !== "system");
  const [first, ...others] = rest;
  if (first?.role !== "user") return [{ role: "user", text: system, parts: [] }, ...rest];
  return [{ ...first, text: `${system}\n\n${first.text}` }, ...others];
}

/** Ids that are unique in the request: those the server gave once, else `call00001` and so on, which all servers take. */
export function renewIds(messages: readonly WireMessage[], source: string): readonly WireMessage[] {
  const used = new Set<string>();
  let current = new Map<string, string>();
  let count = 0;
  const choose = (given: string | undefined): string => {
    if (given !== undefined && given !== "" && !used.has(given)) return given;
    do count += 1;
    while (used.has(`call${String(count).padStart(5, "0")}`));
    return `call${String(count).padStart(5, "0")}`;
  };
  return messages.map((message): WireMessage => {
    if (message.role === "result") return { ...message, call: current.get(message.call) ?? message.call };
    if (message.role !== "assistant") return message;
    current = new Map();
    const own = message.kept?.from === source ? message.kept.calls : undefined;
    const calls = message.calls.map((call, index) => {
      const id = choose(own?.[index]?.id);
      used.add(id);
      current.set(call.id, id);
      return { ...call, id };
    });
    return { ...message, calls };
  });
}
