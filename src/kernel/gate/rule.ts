import type { ApprovalTerms, Role, ToolLevel } from "./types.ts";

/** One entry of `rules:` in tools.yaml. It is about calls that fit all it says. */
export interface Rule {
  /** Name of a tool or a pattern with `*`. */
  readonly tool: string;
  readonly level: ToolLevel;
  /** Tests of arguments, by the argument's name. */
  readonly when?: Readonly<Record<string, ArgumentTest>>;
  readonly role?: readonly Role[];
  /** private, group, or an id or pattern of a chat: `<platform>:<chat>` or a whole session id. */
  readonly chat?: readonly string[];
  /** Only with level confirm: the approvers it needs. */
  readonly approval?: ApprovalTerms;
}

/** The test of one argument: all of its parts have to hold. */
export interface ArgumentTest {
  /** Folders of the workspace; the path lies in one of them or is one. */
  readonly under?: readonly string[];
  /** Hosts of a web address; `*.example.com` = every name below it. */
  readonly host?: readonly string[];
  readonly below?: number;
  readonly above?: number;
  /** One of these, exactly. */
  readonly is?: readonly (string | number | boolean)[];
  /** One of these patterns with `*`; the whole text. */
  readonly matches?: readonly string[];
}

/**
 * Whether a rule fits a call. unknown = it cannot be said: an argument is missing, of another kind than the test is
 * about, or means another thing to another reader. An unknown fit never loosens.
 */
export type Fit = "yes" | "no" | "unknown";

/** All must fit; one that does not decides. */
export function fitAll(fits: readonly Fit[]): Fit {
  if (fits.includes("no")) return "no";
  return fits.every((fit) => fit === "yes") ? "yes" : "unknown";
}

/** One is enough. */
export function fitAny(fits: readonly Fit[]): Fit {
  if (fits.includes("yes")) return "yes";
  return fits.every((fit) => fit === "no") ? "no" : "unknown";
}
