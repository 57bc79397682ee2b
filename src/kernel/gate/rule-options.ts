import { z } from "zod";
import { resolveAlias } from "./tool-aliases.ts";
import { parseWorkspacePath } from "../../workspace/parse-workspace-path.ts";
import type { ApprovalTerms } from "./types.ts";
import { wholeNumber } from "../../core/whole-number.ts";

/** One entry of `rules:` in tools.yaml. */

export const toolPattern = z
  .string()
  .regex(/^[\w.:*-]+$/, { error: "must be the name of a tool, or a pattern with * for any letters" })
  .transform(resolveAlias);

/** Accepts a single item or a list. */
function some<T extends z.ZodType>(item: T) {
  const list = z.array(item).min(1, { error: "must not be empty" });
  return z.union([item, list]).transform((given) => (Array.isArray(given) ? given : [given]) as z.output<T>[]);
}

const folder = z.string().refine((path) => parseWorkspacePath(path).ok, {
  error: "must be a folder of the workspace, relative and without ..",
});

export const hostPattern = z.string().regex(/^(?:\*\.)?(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])$/i, {
  error: "must be the name of a host without scheme, port and path, or *.example.com for every name below it",
});

const number = z.number({ error: "must be a number" });
const atLeastOne = { error: "must say at least one of under, host, below, above, is, matches" };

const argumentTest = z
  .strictObject({
    under: some(folder)
      .exactOptional()
      .describe("The argument is a path of the workspace in one of these folders; . = all of it."),
    host: some(hostPattern)
      .exactOptional()
      .describe("The argument is an http or https address at one of these hosts; *.example.com = every name below it."),
    below: number.exactOptional().describe("The argument is a number below this."),
    above: number.exactOptional().describe("The argument is a number above this."),
    is: some(z.union([z.string(), z.number(), z.boolean()]))
      .exactOptional()
      .describe("The argument is exactly one of these texts, numbers or truth values."),
    matches: some(z.string()).exactOptional().describe("The whole argument is like one of these; * = any letters."),
  })
  .refine((test) => Object.keys(test).length > 0, atLeastOne);

const role = z.enum(["owner", "trusted", "member", "guest"]);

const chat = z
  .union([z.string(), z.int()])
  .transform(String)
  .refine((text) => text === "private" || text === "group" || /^[a-z*][\w*-]*:\S+$/.test(text) || text === "*", {
    error: "must be private, group, or a chat such as telegram:-100123 (* for any letters)",
  });

const approver = z.string().regex(/^(?:owner|trusted|[a-z][\w-]*:\S+)$/, {
  error: "must be owner, trusted, or the id of a person such as telegram:123",
});

const approval = z
  .strictObject({
    approvers: z
      .array(approver)
      .min(1, { error: "must not be empty" })
      .exactOptional()
      .describe(
        "People whose approval counts: ids (telegram:123), owner, trusted. Default: the person who asked, and owners.",
      ),
    votes: wholeNumber(1, 9).default(1).describe("Number of different people who must approve."),
    askerMayApprove: z.boolean().default(true).describe("false = the person who asked has no say."),
    ask: z
      .enum(["chat", "owner"])
      .default("chat")
      .describe("owner = the question goes to the private chat of the owners."),
  })
  .refine(({ approvers, votes: needed }) => canBeMet(approvers, needed), {
    path: ["votes"],
    error: "must not be more than there are approvers",
  });

/** A role may have any number of people. */
function canBeMet(approvers: ApprovalTerms["approvers"], votes: number): boolean {
  if (approvers === undefined || approvers.some((one) => !one.includes(":"))) return true;
  return new Set(approvers).size >= votes;
}

export const rule = z
  .strictObject({
    tool: toolPattern.describe("Name or pattern of the tools it is about."),
    level: z.enum(["safe", "confirm", "deny"]).describe("What calls that fit become."),
    when: z
      .record(z.string().min(1), argumentTest)
      .refine((tests) => Object.keys(tests).length > 0, { error: "must name at least one argument" })
      .exactOptional()
      .describe("Only calls whose arguments are like this, by the argument's name."),
    role: some(role).exactOptional().describe("Only calls for people of these roles. Default: all."),
    chat: some(chat)
      .exactOptional()
      .describe(
        "Only in these chats: private, group, or session ids such as telegram:-100123 with * for any letters. Default: all.",
      ),
    approval: approval.exactOptional().describe("Approvals that calls of level confirm need."),
  })
  .refine(({ approval: terms, level }) => terms === undefined || level === "confirm", {
    path: ["approval"],
    error: "is for rules of level confirm only",
  });
