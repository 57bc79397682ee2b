import { z } from "zod";
import type { ConfigFault } from "../../../core/yaml-file.ts";
import type { McpServer } from "../../mcp/servers/types.ts";
import { parseNetworkHost } from "../../../sandbox/egress/network-host.ts";
import { requirementsSchema } from "./requirements.ts";

/** The shape of config/skills/<id>/skill.yaml. */

/** Small letters, digits and hyphens; also the folder's name. */
export const skillIdPattern = /^[a-z0-9][a-z0-9-]{0,63}$/;

const networkHost = z.string().transform((source, context) => {
  const parsed = parseNetworkHost(source);
  if (parsed.ok) return parsed.host;
  context.addIssue(parsed.problem);
  return z.NEVER;
});

/** Every message is searched for each of them. */
export const maxWords = 200;
const triggerWords = z.array(z.string().min(1)).max(maxWords).readonly().default([]);

/** The words that call for a skill. Sentences that call for it are in `examples` and examples.txt. */
const triggerSchema = z
  .strictObject({
    /** Unmistakable, as people write them; Latin ones match whole words only. */
    keywords: triggerWords,
    /** Words that count only in a message that asks for something. */
    topics: triggerWords,
    /** Labels for people. */
    intents: z.array(z.string().min(1)).readonly().default([]),
  })
  .prefault({});

/** Further sentences would add nothing new. */
export const maxSentences = 500;
export const maxSentenceLength = 300;

export const skillSchema = z.strictObject({
  id: z.string().regex(skillIdPattern, "must be small letters, digits and hyphens, 64 at most"),
  name: z.string().min(1),
  version: z.string().regex(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/, "must be a version such as 1.0.0"),
  description: z.string().max(1024).default(""),
  /** knowledge = text for the prompt, tool = tools to offer, hybrid = both. */
  type: z.enum(["knowledge", "tool", "hybrid"]),
  trigger: triggerSchema,
  requires: requirementsSchema,
  /** The language of the context and the examples. */
  language: z.enum(["zh", "en", "ja"]).default("zh"),
  /** The text for the model when the skill is active. */
  context: z.string().default(""),
  /** Sentences that call for the skill, and dialogues that the model sees while it is active. */
  examples: z
    .array(
      z.union([
        z.string().trim().min(1).max(maxSentenceLength),
        z.strictObject({ user: z.string().min(1), assistant: z.string().min(1) }),
      ]),
    )
    .max(maxSentences)
    .readonly()
    .default([]),
  tools: z
    .strictObject({
      /** Tools of the registry this skill works with. */
      builtin: z.array(z.string().min(1)).readonly().default([]),
      /** The file with its own MCP servers, inside the skill's folder. */
      mcpConfig: z.literal("mcp.json").optional(),
      /** Hosts that commands may reach while the skill is active, each time after an approval. */
      network: z
        .array(networkHost)
        .max(16, "must be 16 hosts at most")
        .transform((hosts): readonly string[] => [...new Set(hosts)].toSorted())
        .default([]),
    })
    .prefault({}),
});

type SkillFile = z.infer<typeof skillSchema>;

/**
 * The source of a skill. config = the operator's folder or a shipped one; shared = a folder that other agents read,
 * too.
 */
export type SkillOrigin = "config" | "shared";

interface Dialogue {
  readonly user: string;
  readonly assistant: string;
}

export interface Skill extends Omit<SkillFile, "examples"> {
  /** Dialogues for the model. */
  readonly examples: readonly Dialogue[];
  /** Sentences of people who need it: of `examples` and examples.txt. */
  readonly sentences: readonly string[];
  /** Where its files are. */
  readonly folder: string;
  readonly origin: SkillOrigin;
  /** The servers of its mcp.json, if skill.yaml names it. */
  readonly mcpServers: readonly McpServer[];
  /**
   * It was installed from elsewhere: its text is a stranger's, and its first use in a chat needs approval. `digest`
   * identifies its files.
   */
  readonly installed?: { readonly digest: string; readonly source: string };
}

/** The part of a skill that a message is compared with. */
export interface MatchedSkill extends SearchedSkill, Pick<Skill, "origin" | "installed"> {}

/** The part of a skill that a search by words reads. */
export interface SearchedSkill extends Pick<Skill, "id" | "name" | "description" | "context" | "sentences"> {
  readonly trigger: Pick<Skill["trigger"], "keywords" | "topics">;
}

/** Its text is not the operator's own. */
export function isForeign({ installed, origin }: Pick<Skill, "installed" | "origin">): boolean {
  return origin === "shared" || installed !== undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The result of reading one folder: `skill` or faults, and flaws that do not refuse it. */
export interface ReadSkill {
  readonly skill?: Skill;
  readonly faults: readonly ConfigFault[];
  readonly warnings: readonly ConfigFault[];
}
