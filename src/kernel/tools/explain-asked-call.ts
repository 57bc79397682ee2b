import { findChannelSettings, type ConfiguredChannels } from "../../channels/definitions/channel-definitions.ts";
import type { JsonObject } from "../../core/conversation.ts";
import { AppError } from "../../core/errors.ts";
import { isJsonObject } from "../../core/is-json-object.ts";
import { parseJson } from "../../core/parse-json.ts";
import { kurisuCommand } from "../../core/kurisu-command.ts";
import { consoleOwner } from "../../core/own-platforms.ts";
import { assessCall, readCall, type CallFacts } from "../gate/assess-call.ts";
import { describeRuleMatch } from "../gate/describe-rule-match.ts";
import type { RuleMatch } from "../gate/find-rule-match.ts";
import { createFindRulePlace } from "../gate/find-rule-place.ts";
import { parseArguments } from "../gate/parse-arguments.ts";
import { explainCall, versionOf, type Judgement, type PermissionRules } from "../gate/permission.ts";
import type { FindRole } from "../gate/resolve-current-role.ts";
import { isServerTool } from "../gate/taint-reason.ts";
import { resolveAlias } from "../gate/tool-aliases.ts";
import type { ApprovalTerms, AskReason, Role, ToolLevel, Verdict } from "../gate/types.ts";
import type { ToolRegistry } from "./registry.ts";

/** A call as the operator describes it. */
export interface AskedAbout {
  readonly name: string;
  /** JSON. */
  readonly arguments: string;
  /** `<platform>:<user>`, or a name of the command line. The default is its owner. */
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

/** One rule that was looked at for a call. */
interface ConsideredRule {
  /** Its key in tools.yaml. */
  readonly key: string;
  readonly tool: string;
  readonly level: ToolLevel;
  readonly fits: "yes" | "no" | "unknown";
  /** Its line: `tools.yaml:12:5`. */
  readonly place?: string;
}

/** The fate of a call and the reason, as `./kurisu tools why --json` prints it. */
interface Explanation {
  readonly verdict: Verdict["kind"];
  /** One line. */
  readonly why: string;
  readonly tool: string;
  /** The tool that acts, where it replaces this one. */
  readonly by?: string;
  readonly person: { readonly id: string; readonly role: Role };
  readonly chat: "private" | "group";
  readonly tainted: boolean;
  /** Whether what a running Kurisu knows is in it: grants, plan mode, the kill switch, hosts of skills. */
  readonly live: boolean;
  readonly level: ToolLevel;
  readonly decided: { readonly by: Judgement["by"]; readonly rule: string; readonly place?: string };
  readonly because?: readonly AskReason[];
  readonly terms?: ApprovalTerms;
  readonly considered: readonly ConsideredRule[];
  readonly policy: string;
}

export interface ExplainedCall {
  readonly text: string;
  readonly json: Explanation;
}

interface Known {
  readonly registry: Pick<ToolRegistry, "find" | "list">;
  readonly configuration: {
    readonly tools: PermissionRules;
    readonly configFolder: string;
    readonly owners: readonly { readonly platform: string; readonly user: string }[];
    readonly channels: ConfiguredChannels;
  };
  readonly findRole?: FindRole;
  readonly findFacts?: FindFacts;
}

/** For the command line: a fault is thrown. */
export async function explainToPeople(known: Known, asked: AskedAbout): Promise<ExplainedCall> {
  const explained = await explainAskedCall(known, asked);
  if (explained.kind === "faulty") throw new AppError("USAGE", explained.problem);
  return explained;
}

/** `faulty` = one field of the call cannot be understood. */
export type ExplainedOrFaulty =
  | ({ readonly kind: "explained" } & ExplainedCall)
  | { readonly kind: "faulty"; readonly field: "name" | "arguments" | "role" | "chat"; readonly problem: string };

/** The fate of a call and the reason: a few lines for people, and all of it as JSON. */
export async function explainAskedCall(known: Known, asked: AskedAbout): Promise<ExplainedOrFaulty> {
  const { registry, configuration, findRole, findFacts } = known;
  const faulty = (field: "name" | "arguments" | "role" | "chat", problem: string) =>
    ({ kind: "faulty", field, problem }) as const;
  const tool = registry.find(resolveAlias(asked.name));
  if (!tool) return faulty("name", `There is no tool ${asked.name}. ${kurisuCommand} tools list shows them.`);
  const given = readJson(asked.arguments);
  if (typeof given === "string") return faulty("arguments", given);
  const parsed = parseArguments(tool, given);
  if (!parsed.ok) return faulty("arguments", parsed.error);
  const saidRole = roles.find((one) => one === asked.role);
  if (asked.role !== undefined && !saidRole) return faulty("role", `--role is one of ${roles.join(", ")}`);
  const session = toSession(asked.chat);
  if (session === undefined) return faulty("chat", "--chat is <platform>:<chat> or the id of a session");
  const id = asked.user === undefined || asked.user.includes(":") ? (asked.user ?? "cli:owner") : `cli:${asked.user}`;
  // A running Kurisu also knows those who paired in a chat.
  const usual = asked.chat === undefined ? `${id.split(":")[0]}:any:any` : session;
  const role = saidRole ?? (await findRole?.(id, usual)) ?? findConfiguredRole(configuration, id);
  const own = role === "owner" ? "owner" : "user";
  // Tools of a skill's server are offered only while it is running.
  const isExposed = registry.list().some((one) => isServerTool(one) && one.skill === undefined);
  const taint = asked.tainted ? "untrusted" : isExposed ? "exposed" : own;
  const chatKind = asked.group ? "group" : "private";
  const place = { session, chatKind } as const;
  const rules = configuration.tools;
  const policy = versionOf(rules);
  const { hosts, ...facts } = (await findFacts?.({ session, person: id, policy })) ?? nothingKnown;
  const read = readCall({ tool, arguments: given, session, policy, rules, hosts });
  if (!read.ok) throw new AppError("INTERNAL", `the call could not be read again: ${read.fault.kind}`);
  const person = { id, name: id, role };
  // The assessment that the turn of such a call gets.
  const { verdict } = assessCall(read.call, { ...facts, person, taint, chatKind });
  const judgement = explainCall(tool, person, taint, rules, { ...place, mode: facts.mode, input: parsed.input });
  const { ruleMatch } = judgement;
  const findPlace = createFindRulePlace(configuration.configFolder);
  const placeOf = (by: RuleMatch["by"]) => {
    const place = findPlace(by);
    return place === undefined ? undefined : { place };
  };
  const considered = ruleMatch.considered.map(({ entry, fit }) => ({
    key: describeRuleMatch({ by: entry }),
    tool: entry.rule.tool,
    level: entry.rule.level,
    fits: fit,
    ...placeOf(entry),
  }));
  const why = explain({ ...judgement, verdict }, placeOf(ruleMatch.by)?.place, facts);
  const json: Explanation = {
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
  return { kind: "explained", text: lines.filter((line) => line !== "").join("\n"), json };
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

/** Without a running Kurisu, the database with those who paired in a chat is not looked at: for them, pass the role. */
function findConfiguredRole({ owners, channels }: Known["configuration"], id: string): Role {
  const [platform = "", ...user] = id.split(":");
  const account = user.join(":");
  if (id === "cli:owner" || id === consoleOwner || owners.some((owner) => `${owner.platform}:${owner.user}` === id))
    return "owner";
  if (platform === "cli") return "member";
  const listed = findChannelSettings(channels, platform);
  if (listed?.trusted.includes(account)) return "trusted";
  return listed?.allow.includes(account) ? "member" : "guest";
}

/** A chat without our account there gets any: rules may name it either way. Undefined when it is no chat. */
function toSession(chat: string | undefined): string | undefined {
  if (chat === undefined) return "cli:local:main";
  const [platform = "", ...rest] = chat.split(":");
  if (rest.length === 0) return undefined;
  return rest.length > 1 ? chat : `${platform}:any:${rest.join(":")}`;
}

/** A string is the problem with it. */
function readJson(text: string): JsonObject | string {
  const value = parseJson(text);
  if (value === undefined) return `ARGS is no JSON: ${text}`;
  return isJsonObject(value) ? value : `ARGS is no JSON object: ${text}`;
}
