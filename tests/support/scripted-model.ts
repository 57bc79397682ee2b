import type { BaseMessage } from "@langchain/core/messages";
import type { InputKind } from "../../src/core/content-part.ts";
import type { JsonObject } from "../../src/core/conversation.ts";
import type { ModelAnswer, ModelEvent, ModelRequest, Models } from "../../src/models/types.ts";

/** What the script reads of a prompt. */
export interface ScriptedView {
  /** What the person wrote, without the context block; in a group behind their name, whose tag is left out. */
  readonly text: string;
  readonly context: string;
  /** Results of this turn's calls so far, oldest first. */
  readonly results: readonly string[];
  /** The note of the gateway that follows everything, if any (asked once more, rounds used up). */
  readonly instruction: string;
  /** Names of the offered tools. */
  readonly tools: readonly string[];
  readonly request: ModelRequest;
  /** Tells what would come before the answer is whole. */
  readonly emit: (event: ModelEvent) => void;
}

export interface ScriptedAnswer {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly arguments: JsonObject; readonly fault?: string }[];
}

export type Script = (view: ScriptedView) => ScriptedAnswer | Promise<ScriptedAnswer>;

/** Every model of the installation at once, answering from a script without any delay. */
export class ScriptedModel implements Models {
  readonly offline = false;
  /** A test of small models changes it. */
  contextTokens = 32_000;
  /** A test that shows it pictures says so. */
  inputs: ReadonlySet<InputKind> = new Set();
  /** Every prompt so far. */
  readonly asked: ScriptedView[] = [];
  script: Script;
  /** Since when it answers, as its health tells. */
  readySince = 0;

  readonly name: string;

  constructor(script: Script, name = "scripted:one") {
    this.script = script;
    this.name = name;
  }

  async ask(request: ModelRequest, onEvent: Parameters<Models["ask"]>[1]): Promise<ModelAnswer> {
    const view = { ...readPrompt(request), emit: onEvent };
    this.asked.push(view);
    const { text = "", calls = [] } = await this.script(view);
    request.signal.throwIfAborted();
    if (text !== "") onEvent({ kind: "text", text });
    return { text, calls, model: this.name, cut: false, usage: { input: 0, output: 0, cachedInput: 0 } };
  }

  status(): ReturnType<Models["status"]> {
    return [{ model: this.name, state: "ready", since: this.readySince, detail: "" }];
  }
}

function readPrompt(request: ModelRequest): Omit<ScriptedView, "emit"> {
  const texts = request.messages.map((message) => contentOf(message));
  const own = texts.findLastIndex((text) => text.startsWith("<context>"));
  const [, context = "", text = ""] = /^<context>\n([\s\S]*?)\n<\/context>\n\n([\s\S]*)$/.exec(texts[own] ?? "") ?? [];
  const after = request.messages.slice(own + 1);
  const last = after.at(-1);
  return {
    text: text.replace(/^([^\n#]*)#[0-9a-f]{6}(?=: )/, "$1"),
    context,
    results: after.filter((message) => message.type === "tool").map((message) => withoutAnchor(contentOf(message))),
    instruction: last?.type === "human" ? contentOf(last) : "",
    tools: request.tools.map((tool) => tool.name),
    request,
  };
}

/** A result as it is, without the line of who she is that stands in the last one of a round. */
function withoutAnchor(result: string): string {
  return result.replace(/,"you":"(?:[^"\\]|\\.)*"\}$/, "}");
}

function contentOf(message: BaseMessage): string {
  return message.text;
}
