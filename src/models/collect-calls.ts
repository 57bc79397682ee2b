import type { KeptCall } from "../core/kept-answer.ts";
import { addFields } from "./add-fields.ts";
import type { CallPiece } from "./model-client.ts";
import type { WrittenCall } from "./read-tool-calls.ts";
import type { ModelEvent } from "./types.ts";

type CallEvent = Extract<ModelEvent, { kind: "call" }>;

interface OpenCall {
  index: number | undefined;
  readonly id: string;
  name: string;
  arguments: string;
  input: string | undefined;
  /** Follows the arguments: whether they are whole. */
  scanner: JsonScanner;
  readonly fields: Parameters<typeof addFields>[0];
  readonly functionFields: Parameters<typeof addFields>[0];
}

export interface CallCollector {
  add(piece: CallPiece): CallEvent;
  readonly count: number;
  /** The calls in their order, and what goes back with each. */
  finish(): { readonly written: readonly WrittenCall[]; readonly kept: readonly KeptCall[] };
}

/**
 * Puts the pieces of calls together. They are identified by index, then by id, then by their order, because servers
 * number every call 0, change ids on the way, repeat names, or send them late. What stays unclear is refused as broken
 * JSON later, never guessed.
 */
export function createCallCollector(isTool: (name: string) => boolean): CallCollector {
  const calls: OpenCall[] = [];

  function findCall(piece: CallPiece): OpenCall | undefined {
    const { id = "", index, name = "" } = piece;
    if (index !== undefined) {
      const current = calls.findLast((call) => call.index === index);
      return current && isAnother(current, piece) ? undefined : current;
    }
    const last = calls.at(-1);
    if (last === undefined) return undefined;
    if (id !== "") {
      const known = calls.findLast((call) => call.id === id);
      if (known) return isAnother(known, piece) ? undefined : known;
      return name === "" && !last.scanner.whole ? last : undefined;
    }
    // A name alone begins a call, unless the last one still waits for its own.
    if (name === "" || last.name === "") return last;
    return last.name === name && !last.scanner.whole && last.arguments !== "" ? last : undefined;
  }

  /** Whether a piece with the number or id of a call begins the next one. */
  function isAnother(current: OpenCall, { arguments: written, id = "", name = "" }: CallPiece): boolean {
    const hasOtherId = id !== "" && current.id !== "" && id !== current.id;
    if (name === "") return hasOtherId && current.scanner.whole && written.trim() !== "";
    if (current.name === "") return false;
    if (name !== current.name) return hasOtherId || current.scanner.whole || (isTool(current.name) && isTool(name));
    if (current.arguments === "{}" && !hasOtherId) return false;
    if (current.scanner.whole)
      return hasOtherId || (written.trimStart().startsWith("{") && written !== current.arguments);
    return hasOtherId && current.arguments === "";
  }

  return {
    add(piece) {
      const found = findCall(piece);
      const call = found ?? openCall(piece);
      if (found === undefined) calls.push(call);
      const { arguments: written, fields, functionFields, input, name = "" } = piece;
      if (call.name !== name) call.name += name;
      if (input !== undefined) call.input = input;
      if (fields) addFields(call.fields, fields);
      if (functionFields) addFields(call.functionFields, functionFields);
      // Whole arguments are sometimes sent again at the end.
      const isRepeated = call.scanner.whole && written === call.arguments;
      if (!isRepeated) append(call, written);
      return { kind: "call", index: calls.indexOf(call), name: call.name.trim(), text: isRepeated ? "" : written };
    },
    get count() {
      return calls.length;
    },
    finish() {
      const joined = joinNameless(calls).filter((call, place, all) => !isCopy(call, all[place - 1]));
      const ids = joined.map(({ id }) => id);
      return {
        written: joined.map(({ arguments: text, input, name }) => ({
          name,
          arguments: text.trim() === "" ? (input ?? "") : text,
        })),
        kept: joined.map(({ fields, functionFields, id }) => ({
          ...(id !== "" && ids.indexOf(id) === ids.lastIndexOf(id) && { id }),
          ...(Object.keys(fields).length > 0 && { fields }),
          ...(Object.keys(functionFields).length > 0 && { functionFields }),
        })),
      };
    },
  };
}

function openCall({ id = "", index }: CallPiece): OpenCall {
  const scanner = createJsonScanner();
  return { index, id, name: "", arguments: "", input: undefined, scanner, fields: {}, functionFields: {} };
}

function append(call: OpenCall, text: string): void {
  // Converters of Claude's answers send an empty input first, and then the real one.
  if (call.arguments === "{}" && text.trimStart().startsWith("{")) {
    call.arguments = "";
    call.scanner = createJsonScanner();
  }
  call.arguments += text;
  call.scanner.add(text);
}

/** Pieces with a number of their own but no name belong to the call before them, when they complete it. */
function joinNameless(calls: readonly OpenCall[]): readonly OpenCall[] {
  const joined: OpenCall[] = [];
  for (const call of calls) {
    const last = joined.at(-1);
    if (call.name !== "" || (call.arguments === "" && last === undefined)) joined.push(call);
    else if (last !== undefined && !last.scanner.whole) append(last, call.arguments);
    else if (call.arguments !== "") joined.push(call);
  }
  return joined;
}

/** The same call sent twice, which its id proves. */
function isCopy(call: OpenCall, before: OpenCall | undefined): boolean {
  return (
    before !== undefined &&
    call.id !== "" &&
    call.id === before.id &&
    call.index === before.index &&
    call.name === before.name &&
    call.arguments === before.arguments
  );
}

/** Follows a JSON object while it is written. */
interface JsonScanner {
  add(text: string): void;
  /** Every bracket that was opened is closed. Says nothing of whether the text is valid. */
  readonly whole: boolean;
}

/** Looks at each character once. */
function createJsonScanner(): JsonScanner {
  let depth = 0;
  let opened = false;
  let inString = false;
  let escaped = false;
  return {
    add(text) {
      for (const character of text) {
        if (inString) {
          if (escaped) escaped = false;
          else if (character === "\\") escaped = true;
          else if (character === '"') inString = false;
        } else if (character === '"') inString = true;
        else if (character === "{" || character === "[") {
          depth += 1;
          opened = true;
        } else if (character === "}" || character === "]") depth -= 1;
      }
    },
    get whole() {
      return opened && depth === 0;
    },
  };
}
