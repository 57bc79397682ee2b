import { HumanMessage } from "@langchain/core/messages";
import type { InputKind } from "../core/content-part.ts";
import { askOnce, type TriedServer } from "./ask-once.ts";
import type { ToolDefinition } from "./types.ts";

/** An ability of a model in addition to talking. A `reason` is the server's, or says what came instead. */
export type Ability =
  | { readonly kind: "works" }
  | { readonly kind: "missing"; readonly reason: string }
  /** The attempt failed for a reason that says nothing about it. */
  | { readonly kind: "unknown"; readonly reason: string };

const reportWord: ToolDefinition = {
  name: "report_word",
  description: "Reports one word.",
  parameters: { type: "object", properties: { word: { type: "string" } }, required: ["word"] },
};

/** Asks it to call a tool. Does the call arrive, with its argument? */
export async function tryTool(server: TriedServer): Promise<Ability> {
  let refused: string | undefined;
  const asked = await askOnce(server, {
    messages: [new HumanMessage('Call the tool report_word with the word "ready". Do not answer in words.')],
    tools: [reportWord],
    onToolsRefused: ({ reason }) => (refused = reason),
  });
  if (refused !== undefined) return { kind: "missing", reason: refused };
  if (asked.kind === "failed") return { kind: "unknown", reason: asked.detail };
  const { calls, text } = asked.answer;
  const call = calls.find(({ name }) => name === reportWord.name);
  if (call === undefined) return { kind: "missing", reason: `it answered: ${shorten(text)}` };
  if (call.fault !== undefined) return { kind: "missing", reason: call.fault };
  const { word } = call.arguments;
  if (typeof word === "string" && word !== "") return { kind: "works" };
  return { kind: "missing", reason: `it called with ${shorten(JSON.stringify(call.arguments))}` };
}

export interface TriedReading {
  /** The answer came in pieces. */
  readonly stream: Ability;
  /** Undefined when its models are not known to take pictures. */
  readonly picture: Ability | undefined;
}

/** Asks for a sentence, about a picture where the models of this provider take `inputs` of that kind. */
export async function tryReading(server: TriedServer, inputs: readonly InputKind[]): Promise<TriedReading> {
  if (!inputs.includes("image")) return { stream: await tryStream(server), picture: undefined };
  let refused: string | undefined;
  const asked = await askOnce(server, {
    messages: [
      new HumanMessage({
        content: [
          { type: "text", text: `Which colour is this picture? ${fullSentence}` },
          { type: "image", mimeType: "image/png", data: redSquare },
        ],
      }),
    ],
    inputs: ["image"],
    onInputsRefused: (reason) => (refused = reason),
  });
  if (asked.kind === "answered")
    return {
      stream: judgeStream(asked.pieces),
      picture: refused === undefined ? { kind: "works" } : { kind: "missing", reason: refused },
    };
  // Some servers fail on a picture instead of refusing it; then the same goes through without.
  const stream = await tryStream(server);
  const reason = refused ?? asked.detail;
  return { stream, picture: { kind: stream.kind === "unknown" ? "unknown" : "missing", reason } };
}

async function tryStream(server: TriedServer): Promise<Ability> {
  const asked = await askOnce(server, { messages: [new HumanMessage(`Which colour is the sky? ${fullSentence}`)] });
  return asked.kind === "answered" ? judgeStream(asked.pieces) : { kind: "unknown", reason: asked.detail };
}

function judgeStream(pieces: number): Ability {
  return pieces > 1 ? { kind: "works" } : { kind: "missing", reason: "the answer came in one piece" };
}

const fullSentence = "Answer in one full sentence of about fifteen words.";

const maxShown = 120;

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > maxShown ? `${line.slice(0, maxShown)}…` : line;
}

/** 64 × 64 pixels: some servers refuse what is smaller than a few. */
const redSquare =
  "iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAT0lEQVR42u3PQQkAAAgEsEty/aMYywi+hcEKLNO+FgEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQGBywLKp0DxvxLbjwAAAABJRU5ErkJggg==";
