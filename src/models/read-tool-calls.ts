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
  /** Refused, filtered, or a reason nobody has documented. */
  | { readonly kind: "other"; readonly reason: string };

/** Calls beyond this many in one answer are refused. */
const mostCalls = 16;

/**
 * The last look at what a model wrote before anything may run. LangChain completes a cut JSON text into a valid
 * call, so a cut `rm {"path": "/tmp/bui` would remove /tmp/bui; here such a call carries a fault and no arguments.
 */
export function readToolCalls(written: readonly WrittenCall[], end: AnswerEnd): readonly RequestedCall[] {
  return written.map((call, index) => {
    const name = call.name.trim();
    const refuse = (fault: string): RequestedCall => ({ name, arguments: {}, fault });
    if (end.kind === "cut") {
      return refuse("The answer was cut off at its length limit, so this call was not run; send it again, shorter.");
    }
    if (end.kind === "other") {
      return refuse(`The answer ended with "${end.reason}", so this call was not run.`);
    }
    if (index >= mostCalls) return refuse(`More than ${mostCalls} calls in one answer; send the rest in the next one.`);
    if (name === "") return refuse("The call names no tool.");
    if (call.arguments.trim() === "") return { name, arguments: {} };
    const parsed = parseStrictJson(call.arguments);
    return parsed.kind === "object" ? { name, arguments: parsed.value } : refuse(parsed.fault);
  });
}
