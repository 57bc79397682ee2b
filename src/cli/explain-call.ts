import { join } from "node:path";
import { AppError } from "../core/errors.ts";
import { consoleOwner } from "../core/own-platforms.ts";
import type { JsonObject } from "../core/conversation.ts";
import { findYamlPlace } from "../core/yaml-file.ts";
import { resolveAlias } from "../kernel/gate/tool-aliases.ts";
import { assessCall, readCall, type CallFacts } from "../kernel/gate/assess-call.ts";
import { explainCall, versionOf, type Judgement } from "../kernel/gate/permission.ts";
import type { FindRole } from "../kernel/gate/resolve-current-role.ts";
import { parseArguments } from "../kernel/gate/parse-arguments.ts";
import { isServerTool } from "../kernel/gate/taint-reason.ts";
import { describeRuleMatch, findKey } from "../kernel/gate/describe-rule-match.ts";
import { type RuleMatch } from "../kernel/gate/find-rule-match.ts";
import type { ApprovalTerms, AskReason, Role } from "../kernel/gate/types.ts";
import { findChannelSettings } from "../channels/definitions/channel-definitions.ts";
import type { Configuration } from "../config.ts";
import type { Inspected } from "./types.ts";
import { kurisuCommand } from "../core/kurisu-command.ts";
import { isJsonObject } from "../core/is-json-object.ts";

/** A call as the command line describes it. */
export interface AskedAbout {
  readonly name: string;
  /** JSON. */
  readonly arguments: string;
  /** `<platform>:<user>`, or a name of the command line. */
  readonly user?: string | undefined;
  readonly role?: string | undefined;
  /** Id of a session, or `<platform>:<chat>`. */
  readonly chat?: string | undefined;
  readonly group: boolean;
  readonly tainted: boolean;
}

/** The state of a session that decides in addition to the rules. */
export type FindFacts = (of: {
  readonly session: string;
  readonly person: string;
  readonly policy: string;
}) => Promise<Pick<CallFacts, "mode" | "grants" | "paused"> & { readonly hosts: readonly string[] }>;

const nothingKnown: Awaited<ReturnType<FindFacts>> = { mode: { kind: "act" }, hosts: [] };

const roles: readonly Role[] = ["owner", "trusted", "member", "guest"];

export interface ExplainedCall {
  readonly text: string;
  readonly json: object;
}

/** The fate of a call and the reason: one line for people, or all of it as JSON. */
export async function explainToPeople(
  {
    registry,
    configuration,
    findRole,
    findFacts,
  }: Pick<Inspected, "registry" | "configuration"> & { readonly findRole?: FindRole; readonly findFacts?: FindFacts },
  asked: AskedAbout,
): Promise<ExplainedCall> {
  const tool = registry.find(resolveAlias(asked.name));
  if (!tool) throw new AppError("USAGE", `There is no tool ${asked.name}. ${kurisuCommand} tools list shows them.`);
  const parsed = parseArguments(tool, readJson(asked.arguments));
  if (!parsed.ok) throw new AppError("USAGE", parsed.error);
  const id = asked.user === undefined || asked.user.includes(":") ? (asked.user ?? "cli:owner") : `cli:${asked.user}`;
  const session = toSession(asked.chat);
  // A running Kurisu also knows those who paired in a chat.
  const usual = asked.chat === undefined ? `${id.split(":")[0]}:any:any` : session;
  const role = readRole(asked.role) ?? (await findRole?.(id, usual)) ?? findConfiguredRole(configuration, id);
  const own = role === "owner" ? "owner" : "user";
  // Tools of a skill's server are offered only while it is running.
  const isExposed = registry.list().some((one) => isServerTool(one) && one.skill === undefined);
  const taint = asked.tainted ? "untrusted" : isExposed ? "exposed" : own;
  const chatKind = asked.group ? "group" : "private";
  const place = { session, chatKind } as const;
  const rules = configuration.tools;
  const policy = versionOf(rules);
  const { hosts, ...facts } = (await findFacts?.({ session, person: id, policy })) ?? nothingKnown;
  const read = readCall({ tool, arguments: readJson(asked.arguments), session, policy, rules, hosts });
  if (!read.ok) throw new AppError("INTERNAL", `the call could not be read again: ${read.fault.kind}`);
  const person = { id, name: id, role };
  // The assessment that the turn of such a call gets.
  const { verdict } = assessCall(read.call, { ...facts, person, taint, chatKind });
  const judgement = explainCall(tool, person, taint, rules, { ...place, mode: facts.mode, input: parsed.input });
  const { ruleMatch } = judgement;
  const placeOf = (by: RuleMatch["by"]) => findPlace(configuration, by);
  const considered = ruleMatch.considered.map(({ entry, fit }) => ({
    key: describeRuleMatch({ by: entry }),
    tool: entry.rule.tool,
    level: entry.rule.level,
    fits: fit,
    ...placeOf(entry),
  }));
  const why = explain({ ...judgement, verdict }, placeOf(ruleMatch.by)?.place, facts);
  const json = {
    verdict: verdict.kind,
    why,
    tool: tool.name,
    ...(tool.override && { by: tool.override.by.name }),
    person: { id, role },
    chat: chatKind,
    tainted: asked.tainted,
    live: findFacts !== undefined,
    level: ruleMatch.level,
    decided: { by: judgement.by, rule: describeRuleMatch(ruleMatch), ...placeOf(ruleMatch.by) },
    ...(verdict.kind === "ask" && { because: verdict.because, terms: verdict.terms }),
    considered,
    policy,
  };
  const lines = [
    `${verdict.kind}: ${why}`,
    ...(tool.override ? [`${tool.name} is ${tool.override.by.name} here, judged as both`] : []),
    tool.summarize(parsed.input),
    `for ${id} (${role}), in a ${chatKind} chat${asked.tainted ? ", after something untrusted was read" : ""}`,
    ...(verdict.kind === "ask" ? [describeTerms(verdict.terms)] : []),
    findFacts
      ? "with what holds there now: grants, plan mode, the kill switch, hosts of the skills at work"
      : "without grants, plan mode, the kill switch and hosts of skills: a running Kurisu knows them",
    ...considered.map((line) => `  ${fitWords[line.fits]}  ${line.place ?? line.key}  ${line.tool} → ${line.level}`),
  ];
  return { text: lines.filter((line) => line !== "").join("\n"), json };
}

const fitWords = { yes: "fits          ", no: "does not fit  ", unknown: "cannot be said" } as const;

function explain(
  { by, ruleMatch, verdict }: Judgement,
  place: string | undefined,
  facts: Pick<CallFacts, "grants" | "paused">,
): string {
  const rule = `${describeRuleMatch(ruleMatch)}${place === undefined ? "" : ` (${place})`}`;
  if (verdict.kind === "deny" && (by !== "rules" || facts.paused === true)) return verdict.reason;
  const level = `the level of this call is ${ruleMatch.level}, by ${rule}`;
  if (verdict.kind === "ask") return [level, ...verdict.because.flatMap(describeReason)].join("; ");
  const grant = verdict.kind === "allow" ? facts.grants?.find(({ id }) => id === verdict.grant) : undefined;
  if (grant) return `${level}; but the grant ${grant.code} covers it`;
  if (by === "own chat") return `${level}; but it goes to the owner's own chat only`;
  return level;
}

function describeReason(reason: AskReason): readonly string[] {
  switch (reason.kind) {
    case "level":
      return [];
    case "taint":
      return ["it has an effect, and something untrusted was read before"];
    case "address":
      return [`nobody named ${reason.hosts.join(", ")}, and words of MCP servers stand in the prompt`];
    case "grant":
      return [`the grant ${reason.code} does not count after that`];
    case "network":
      return [`it reaches ${reason.hosts.join(", ")}`];
  }
}

function describeTerms({ approvers, ask, askerMayApprove, votes }: ApprovalTerms): string {
  const who = approvers?.join(", ") ?? (askerMayApprove ? "the person who asked, or an owner" : "an owner");
  const without = approvers !== undefined && !askerMayApprove ? ", not the person who asked" : "";
  return `needs ${votes === 1 ? "the yes" : `${votes} yeses`} of ${who}${without}; asked ${ask === "owner" ? "in the owners' private chat" : "in the chat"}`;
}

/** `tools.yaml:12:5` of a line that the configuration wrote. */
function findPlace(configuration: Configuration, by: RuleMatch["by"]): { readonly place: string } | undefined {
  if (typeof by === "string") return undefined;
  const found = findYamlPlace(join(configuration.configFolder, "system", "tools.yaml"), findKey(by));
  return found && { place: `tools.yaml:${found.line}:${found.column}` };
}

function readRole(given: string | undefined): Role | undefined {
  const role = roles.find((one) => one === given);
  if (given !== undefined && !role) throw new AppError("USAGE", `--role is one of ${roles.join(", ")}`);
  return role;
}

/** Without a running Kurisu, the database with those who paired in a chat is not looked at: for them, pass the role. */
function findConfiguredRole({ owners, channels }: Configuration, id: string): Role {
  const [platform = "", ...user] = id.split(":");
  const account = user.join(":");
  if (id === "cli:owner" || id === consoleOwner || owners.some((owner) => `${owner.platform}:${owner.user}` === id))
    return "owner";
  if (platform === "cli") return "member";
  const listed = findChannelSettings(channels, platform);
  if (listed?.trusted.includes(account)) return "trusted";
  return listed?.allow.includes(account) ? "member" : "guest";
}

/** A chat without our account there gets any: rules may name it either way. */
function toSession(chat: string | undefined): string {
  if (chat === undefined) return "cli:local:main";
  const [platform = "", ...rest] = chat.split(":");
  if (rest.length === 0) throw new AppError("USAGE", "--chat is <platform>:<chat> or the id of a session");
  return rest.length > 1 ? chat : `${platform}:any:${rest.join(":")}`;
}

function readJson(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new AppError("USAGE", `ARGS is no JSON: ${text}`, { cause: error });
  }
  if (isJsonObject(value)) return value;
  throw new AppError("USAGE", `ARGS is no JSON object: ${text}`);
}
