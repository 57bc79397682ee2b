import type { Role } from "./types.ts";
import { matchPattern } from "./match-pattern.ts";
import { fitAll, fitAny, type Fit, type Rule } from "./rule.ts";
import { testArgument } from "./test-argument.ts";

/** The facts that rules test besides the tool's name. An absent fact is unknown. */
export interface RuleFacts {
  readonly role?: Role | undefined;
  /** Id of the session, `<platform>:<account>:<chat>[#<thread>]`. */
  readonly session?: string | undefined;
  readonly chatKind?: "private" | "group" | undefined;
  /** The parsed arguments. */
  readonly input?: unknown;
}

/** Whether the conditions of a rule fit, apart from the tool's name. */
export function matchRule({ chat, role, when }: Omit<Rule, "tool" | "level">, facts: RuleFacts): Fit {
  return fitAll([
    ...(role ? [matchRole(role, facts.role)] : []),
    ...(chat ? [fitAny(chat.map((wanted) => matchChat(wanted, facts)))] : []),
    ...Object.entries(when ?? {}).map(([name, test]) => testArgument(test, readArgument(facts.input, name))),
  ]);
}

function matchRole(wanted: readonly Role[], role: Role | undefined): Fit {
  if (role === undefined) return "unknown";
  return wanted.includes(role) ? "yes" : "no";
}

function matchChat(wanted: string, { chatKind, session }: RuleFacts): Fit {
  if (wanted === "private" || wanted === "group") {
    if (chatKind === undefined) return "unknown";
    return chatKind === wanted ? "yes" : "no";
  }
  if (session === undefined) return "unknown";
  return namesOf(session).some((name) => matchPattern(wanted, name)) ? "yes" : "no";
}

/** The session itself, the chat with all its threads, and the chat under any of our accounts. */
function namesOf(session: string): readonly string[] {
  const whole = session.replace(/#.*/s, "");
  const [platform = "", , ...chat] = whole.split(":");
  return [session, whole, `${platform}:${chat.join(":")}`];
}

function readArgument(input: unknown, name: string): unknown {
  return typeof input === "object" && input !== null && Object.hasOwn(input, name)
    ? (input as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
