import type { ApprovalTerms, Role, ToolLevel } from "./types.ts";

/** One entry of `rules:` in tools.yaml. It applies to calls that meet all of its conditions. */
export interface Rule {
  /** Name of a tool, or a pattern with `*`. */
  readonly tool: string;
  readonly level: ToolLevel;
  /** Tests of arguments, by the argument's name. */
  readonly when?: Readonly<Record<string, ArgumentTest>>;
  readonly role?: readonly Role[];
  /** private, group, or an id or pattern of a chat: `<platform>:<chat>` or a whole session id. */
  readonly chat?: readonly string[];
  /** Only with level confirm: whose approval is needed. */
  readonly approval?: ApprovalTerms;
}

/** The test of one argument; all of its parts must pass. */
export interface ArgumentTest {
  /** Folders of the workspace; the path must be one of them or inside one. */
  readonly under?: readonly string[];
  /** Hosts of a web address; `*.example.com` matches every name below it. */
  readonly host?: readonly string[];
  readonly below?: number;
  readonly above?: number;
  /** Exactly one of these values. */
  readonly is?: readonly (string | number | boolean)[];
  /** Patterns with `*`, one of which must match the whole text. */
  readonly matches?: readonly string[];
}

/**
 * Whether a rule fits a call. It is `unknown` when an argument is missing, has another type than the test expects, or
 * can be read in different ways. An unknown fit never loosens.
 */
export type Fit = "yes" | "no" | "unknown";

/** All must fit; a single misfit decides. */
export function fitAll(fits: readonly Fit[]): Fit {
  if (fits.includes("no")) return "no";
  return fits.every((fit) => fit === "yes") ? "yes" : "unknown";
}

/** One fit is enough. */
export function fitAny(fits: readonly Fit[]): Fit {
  if (fits.includes("yes")) return "yes";
  return fits.every((fit) => fit === "no") ? "no" : "unknown";
}
