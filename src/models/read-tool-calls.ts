import { parseJson } from "../core/parse-json.ts";
import { parseStrictJson } from "./parse-strict-json.ts";
import type { RequestedCall } from "./types.ts";

/** A call as it came over the wire: the joined raw pieces, nothing repaired. */
export interface WrittenCall {
  readonly name: string;
  readonly arguments: string;
}

/** How the server said the answer ended. */
export type AnswerEnd =
  | { readonly kind: "whole" }
  | { readonly kind: "cut" }
  /** Refused, filtered, or an undocumented reason. */
  | { readonly kind: "other"; readonly reason: string };

/** Calls beyond this many in one answer are refused. */
const maxCalls = 16;

/**
 * The last look at what a model wrote before anything may run. Nothing is repaired: a cut `rm {"path": "/tmp/bui` completed to
 * valid JSON would remove /tmp/bui, so such a call carries a fault and no arguments. `needsArguments` says whether a tool
 * can be called with none.
 */
export function readToolCalls(
  written: readonly WrittenCall[],
  end: AnswerEnd,
  needsArguments: (name: string) => boolean = () => false,
): readonly RequestedCall[] {
  return written.map((call, index) => {
    const name = call.name.trim();
    const refuse = (fault: string): RequestedCall => ({ name, arguments: {}, fault });
    if (end.kind === "cut") {
      return refuse("The answer was cut off at its length limit, so this call was not run; send it again, shorter.");
    }
    if (end.kind === "other") {
      return refuse(`The answer ended with "${end.reason}", so this call was not run.`);
    }
    if (index >= maxCalls) return refuse(`More than ${maxCalls} calls in one answer; send the rest in the next one.`);
    if (name === "") return refuse("The call names no tool.");
    if (isNothing(call.arguments)) {
      if (!needsArguments(name)) return { name, arguments: {} };
      return refuse("The arguments of this call did not arrive, so it was not run; send it again with all of them.");
    }
    const parsed = parseStrictJson(unwrap(call.arguments));
    return parsed.kind === "object" ? { name, arguments: parsed.value } : refuse(parsed.fault);
  });
}

/** Some servers write `null` for a call without arguments. */
function isNothing(text: string): boolean {
  return ["", "null", '""'].includes(text.trim());
}

/** Some servers write the object as a JSON string. */
function unwrap(text: string): string {
  if (!text.trimStart().startsWith('"')) return text;
  const value = parseJson(text);
  return typeof value === "string" ? value : text;
}
