import { createParser } from "eventsource-parser";
import { AppError } from "../../core/errors.ts";
import { parseJson } from "../../core/parse-json.ts";
import { describePage } from "./server-refusal.ts";

export type BodyEvent =
  | { readonly kind: "json"; readonly value: unknown }
  /** `data: [DONE]` */
  | { readonly kind: "done" };

/** Bytes per answer; far above what any model writes. */
const maxBytes = 64 * 1024 * 1024;

/**
 * The JSON values of an answer, whatever its content type says: server-sent events (WHATWG HTML 9.2), one JSON document
 * where a stream was asked for, or JSON lines. Throws MODEL_ANSWER_BROKEN, with its words, for a page or a text.
 */
export async function* readBody(body: AsyncIterable<Uint8Array>): AsyncGenerator<BodyEvent> {
  const decoder = new TextDecoder();
  const events: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => events.push(data) });
  let form = "unknown" as "unknown" | "events" | "other";
  let held = "";
  let bytes = 0;

  function take(text: string): void {
    if (form === "events") return parser.feed(text);
    held += text;
    if (form === "unknown") {
      held = held.replace(/^\uFEFF?\s*/, "");
      form = recognizeForm(held);
    }
    if (form !== "events") return;
    parser.feed(held);
    held = "";
  }

  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > maxBytes) throw broken(`the server sent more than ${maxBytes / 1024 / 1024} MB in one answer`);
    take(decoder.decode(piece, { stream: true }));
    for (const data of events.splice(0)) yield* readData(data);
  }
  take(decoder.decode());
  if (form === "events") {
    // Servers that end without the empty line after the last event.
    parser.feed("\n\n");
    for (const data of events) yield* readData(data);
  } else if (held.trim() !== "") yield* readDocument(held);
}

/** By its first words; a document of JSON begins with a bracket, a page with an angle. */
function recognizeForm(text: string): "unknown" | "events" | "other" {
  if (text === "") return "unknown";
  if (/^(?::|(?:data|event|id|retry)[ :])/.test(text)) return "events";
  return ["data:", "event:", "id:", "retry:"].some((field) => field.startsWith(text)) ? "unknown" : "other";
}

function* readData(data: string): Generator<BodyEvent> {
  const text = data.trim();
  if (text === "") return;
  if (text === "[DONE]") return yield { kind: "done" };
  const value = parseJson(text);
  if (value !== undefined) return yield { kind: "json", value };
  // Servers that put one line break between two events make one of them.
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length > 1) for (const line of lines) yield* readData(line);
  // It may hold anything, including thoughts. A bare word between two events is a sign of life.
  else if (/^[{["]/.test(text)) throw broken("the stream broke off in the middle of an event");
}

function* readDocument(text: string): Generator<BodyEvent> {
  const value = parseJson(text);
  if (value !== undefined) return yield { kind: "json", value };
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const values = lines.map(parseJson);
  if (values.length < 2 || values.includes(undefined)) {
    if (/^[{[]/.test(text)) throw broken("the answer broke off in the middle of its JSON");
    throw broken(`the server answered with no JSON but ${describePage(text) || "nothing readable"}`);
  }
  for (const line of values) yield { kind: "json", value: line };
}

const broken = (words: string): AppError => new AppError("MODEL_ANSWER_BROKEN", words);
