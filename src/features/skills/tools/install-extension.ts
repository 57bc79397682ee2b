import { skillWords } from "../words.ts";
import type { Language } from "../../../core/conversation.ts";
import { z } from "zod";
import { makeVisible, payloadLimit } from "../../../core/persona/show-payload.ts";
import { defineTool } from "../../../kernel/tools/define-tool.ts";
import type { Tool } from "../../../kernel/tools/types.ts";
import type { ExtensionCatalogue, Extension } from "../extensions/extension-catalogue.ts";
import { readMcpSettings } from "../extensions/mcp-settings.ts";
import { planServer, type ServerPlan } from "../extensions/plan-server.ts";
import type { CatalogueSkill } from "../extensions/registry-entry.ts";
import { describeSkill } from "../store/describe-skill.ts";
import type { ExaminedSkill } from "../store/examine-skill.ts";
import { readSkillSource, type SkillSource } from "../store/skill-source.ts";
import { toOrigin, type SkillStore } from "../store/skill-store.ts";
import { describeServer, type IsOwnVariable } from "../store/skill-rights.ts";
import { digestOf, hashFiles } from "../store/skills-lock.ts";
import { kurisuCommand } from "../../../core/kurisu-command.ts";

/** The exact thing to install, looked up again each time. */
type Plan =
  | {
      readonly ok: true;
      readonly kind: "mcp";
      readonly plan: ServerPlan;
      readonly extension: Extension & { kind: "mcp" };
    }
  | { readonly ok: true; readonly kind: "skill"; readonly skill: ExaminedSkill; readonly source: SkillSource }
  | { readonly ok: false; readonly error: string };

const tooLong = `It is too much to be shown whole in a question. The owner can install it at the terminal, with ${kurisuCommand} skills install or by config/mcp.json.`;

/** Opens a way for git that leads to public addresses only, for as long as `use` takes. */
export type WithProxy = <Result>(use: (proxy: string) => Promise<Result>) => Promise<Result>;

const input = z.strictObject({
  kind: z.enum(["mcp", "skill"]),
  name: z.string().min(1).max(401).describe("Its name, as find_extension gives it."),
  version: z.string().max(100).optional().describe("Of a server: the version that was found."),
  reason: z.string().trim().min(1).max(300).describe("What it is needed for, for the owner."),
});

type InstallExtensionInput = z.infer<typeof input>;

/**
 * Installs one thing that the registry or the catalogue lists, after an owner's approval of everything it is. If the
 * listing changes between the question and the run, nothing happens.
 */
export function createInstallExtensionTool(parts: {
  readonly catalogue: ExtensionCatalogue;
  readonly store: SkillStore;
  readonly configFolder: string;
  readonly withProxy: WithProxy;
  readonly isOwnVariable: IsOwnVariable;
}): Tool<InstallExtensionInput> {
  const { catalogue, store, configFolder, withProxy } = parts;

  async function plan({ kind, name, version }: InstallExtensionInput, signal?: AbortSignal): Promise<Plan> {
    const found = await catalogue.find({ kind, name, version }, signal);
    if (!found.ok) return { ok: false, error: found.problem };
    const { extension } = found;
    return extension.kind === "skill" ? planSkill(extension.skill, signal) : planMcp(extension);
  }

  function planMcp(extension: Extension & { kind: "mcp" }): Plan {
    const planned = planServer(extension.server, parts.isOwnVariable);
    if (!planned.ok) return { ok: false, error: planned.problem };
    const settings = readMcpSettings(configFolder);
    if (!settings.ok) return { ok: false, error: settings.problem };
    if (settings.names.includes(planned.plan.name))
      return { ok: false, error: `config/mcp.json has a server ${planned.plan.name} already.` };
    return { ok: true, kind: "mcp", plan: planned.plan, extension };
  }

  async function planSkill({ id, source: written, path }: CatalogueSkill, signal?: AbortSignal): Promise<Plan> {
    const read = readSkillSource(written, { workingDirectory: configFolder, folder: path });
    if (!read.ok) return { ok: false, error: read.problem };
    const { source } = read;
    const examined = await withProxy((proxy) => store.examine(source, { proxy, ...(signal && { signal }) }));
    if (!examined.ok) return { ok: false, error: examined.problem };
    const { skill } = examined;
    if (skill.id !== id) return { ok: false, error: `The catalogue lists ${id}, but what lies there is ${skill.id}.` };
    const bad = skill.findings.filter(({ blocks }) => blocks).map(({ path: file, what }) => `${file}: ${what}`);
    if (bad.length > 0) return { ok: false, error: `${id} is not installed from here: ${bad.slice(0, 5).join("; ")}.` };
    return { ok: true, kind: "skill", skill, source };
  }

  return defineTool({
    name: "install_extension",
    description: {
      zh: "请主人同意安装 find_extension 找到的一个 MCP 服务器或技能。问题里会写明来源、版本、完整命令和权限；reason 写为什么需要它。",
      en: "Ask the owner to install one MCP server or skill that find_extension found. The question shows its source, version, whole command line and rights; reason says what it is needed for.",
    },
    input,
    level: "confirm",
    ownerOnly: true,
    alwaysAsks: true,
    readOnly: false,
    idempotent: false,
    place: "gateway",
    timeoutMs: 180_000,
    summarize: ({ kind, name, version }) => `${kind} ${name}${version === undefined ? "" : ` ${version}`}`,
    availability: () =>
      catalogue.isSet
        ? { ok: true }
        : { ok: false, reason: "No registry and no catalogue is set: extensions in tools.yaml (docs/skills.md)." },
    async inspect(input, { language }) {
      const planned = await plan(input);
      if (!planned.ok) return planned;
      const detail = describe(planned, input, language);
      // The approval covers the text that was read, so nothing of it may be cut.
      return detail.length <= payloadLimit ? { ok: true, detail } : { ok: false, error: tooLong };
    },
    async run(input, { language, person, shown, signal }) {
      const planned = await plan(input, signal);
      if (!planned.ok) return planned;
      // An approval does not cover what was not shown, or has changed since.
      if (shown === undefined || shown !== describe(planned, input, language))
        return { ok: false, error: `${input.name} is not what the owner was shown any more; ask once more.` };
      return planned.kind === "mcp" ? addServer(planned.plan) : addSkill(planned, person.id);
    },
  });

  function addServer(server: ServerPlan) {
    const settings = readMcpSettings(configFolder);
    const problem = settings.ok ? settings.write(server) : settings.problem;
    if (problem !== undefined)
      return {
        ok: false as const,
        error: `${problem}. The owner can add it by hand: ${JSON.stringify({ [server.name]: server.entry })}`,
      };
    const missing =
      server.variables.length > 0 ? `; it needs ${server.variables.join(", ")} in the environment and a restart` : "";
    return {
      ok: true as const,
      output: {
        installed: server.name,
        tools: `mcp__${server.name}__…`,
        note: `Its tools appear as soon as it has started${missing}.`,
      },
      message: server.name,
    };
  }

  function addSkill({ skill, source }: Plan & { ok: true; kind: "skill" }, approver: string) {
    const installed = store.install(skill, toOrigin(source), { approver });
    if (!installed.ok) return { ok: false as const, error: installed.problem };
    return {
      ok: true as const,
      output: { installed: skill.id, note: "Its first use in each chat is asked once: use_skill." },
      message: `${skill.id} ${installed.digest.slice(0, 12)}`,
    };
  }
}

/** Everything that the approval covers, one item per line. */
function describe(planned: Plan & { ok: true }, input: InstallExtensionInput, language: Language): string {
  const texts = skillWords[language].extensions;
  // One line, so that it cannot fake one of the others.
  const reason = input.reason.replaceAll(/\s+/g, " ");
  if (planned.kind === "skill") {
    const { skill, source } = planned;
    const lines = [
      reason,
      ...describeSkill(skill, toOrigin(source), language, { files: 15 }),
      texts.digest(digestOf({ files: hashFiles(skill.files) })),
      texts.undo(`${kurisuCommand} skills remove ${skill.id}`),
    ];
    return makeVisible(lines.join("\n"));
  }
  const { plan, extension } = planned;
  const { name, version, description } = extension.server;
  const { entry } = plan;
  const isRemote = "url" in entry;
  const how = isRemote
    ? [texts.connectsTo(describeServer({ kind: "http", url: entry.url, headers: { ...entry.headers } }))]
    : [texts.runsOnHost, describeServer({ kind: "stdio", ...entry, env: { ...entry.env } })];
  const lines = [
    reason,
    texts.mcpServer(plan.name),
    texts.registryEntry({ name, version, registry: extension.from }),
    ...(description === "" ? [] : [description.replaceAll(/\s+/g, " ").slice(0, 200)]),
    ...how,
    ...(plan.variables.length > 0 ? [texts.needsVariables(plan.variables)] : []),
    texts.undo(`${kurisuCommand} mcp remove ${plan.name}`),
  ];
  return makeVisible(lines.join("\n"));
}
