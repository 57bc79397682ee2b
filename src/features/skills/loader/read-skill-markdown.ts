import { lstatSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { LineCounter, parseDocument } from "yaml";
import { describeError } from "../../../core/errors.ts";
import type { ConfigFault } from "../../../core/yaml-file.ts";
import { resolveAlias } from "../../../kernel/gate/tool-aliases.ts";
import { collectSentences } from "./collect-sentences.ts";
import { requirementsSchema } from "./requirements.ts";
import { maxWords, skillIdPattern, type ReadSkill, type Skill, type SkillOrigin } from "./types.ts";

/**
 * Reads SKILL.md, the open standard of agentskills.io: YAML frontmatter (name, description, license, compatibility,
 * metadata, allowed-tools) and a Markdown body. Lenient, as its client guide asks: what can be used is used, with a
 * warning; only a file without a description, or with frontmatter that is no YAML, is refused. Variables are not filled
 * in: the author of the text is unknown.
 */
export function readSkillMarkdown(folder: string, name: string, origin: SkillOrigin): ReadSkill {
  const file = join(folder, "SKILL.md");
  const at = (line: number, column: number, key: string, problem: string): ConfigFault => ({
    file,
    line,
    column,
    key,
    problem,
  });
  const refuse = (fault: ConfigFault): ReadSkill => ({ faults: [fault], warnings: [] });
  let text: string;
  try {
    // Reading a pipe or device may never end. In a folder of others a link may lead anywhere.
    const found = origin === "shared" ? lstatSync(file) : statSync(file);
    if (!found.isFile()) return refuse(at(1, 1, "", "is no file"));
    if (found.size > maxFileSize) return refuse(at(1, 1, "", "is larger than 256 KiB"));
    text = readFileSync(file, "utf8")
      .replace(/^\ufeff/, "")
      .replaceAll("\r\n", "\n");
  } catch (error) {
    return refuse(at(1, 1, "", `cannot be read: ${describeError(error)}`));
  }
  const [whole, head = ""] = /^---[ \t]*\n([\s\S]*?\n)?---[ \t]*(?:\n|$)/.exec(text) ?? [];
  if (whole === undefined) return refuse(at(1, 1, "", "does not begin with frontmatter between two lines of ---"));
  const id = name.normalize("NFKC").toLowerCase();
  if (!skillIdPattern.test(id)) {
    return refuse(at(1, 1, "name", "lies in a folder whose name is not small letters, digits and hyphens"));
  }
  const parsed = parseFrontmatter(head);
  if (parsed.kind === "faulty") return refuse(at(parsed.line + 1, parsed.column, "", parsed.problem));
  const { fields, lineOf, mended } = parsed;
  const warnings: ConfigFault[] = [];
  const warn = (key: string, problem: string): void => void warnings.push(at(lineOf(key) + 1, 1, key, problem));

  const description = readText(fields["description"])?.trim() ?? "";
  if (description === "")
    return refuse(at(lineOf("description") + 1, 1, "description", "is needed: what it does and when"));
  if (mended) warn("", "has values with a colon that should be in quotes");
  if (description.length > 1024) warn("description", "is longer than 1024 characters");
  const given = readText(fields["name"]);
  if (given === undefined) warn("name", "is missing; the folder's name is taken");
  else if (given !== name) warn("name", `should be the folder's name, ${name}`);
  for (const key of Object.keys(fields))
    if (!knownKeys.has(key)) warn(key, "is not a key of the standard; put it under metadata");
  const metadata = readMetadata(fields["metadata"]);
  const list = (key: string): string[] => splitList(metadata[`kurisu-${key}`] ?? "");
  const requires = requirementsSchema.safeParse(
    Object.fromEntries(
      ["platforms", "bins", "env", "config", "tools"].flatMap((key) =>
        list(`requires-${key}`).length > 0 ? [[key, list(`requires-${key}`)]] : [],
      ),
    ),
  );
  if (!requires.success)
    return refuse(at(lineOf("metadata") + 1, 1, "metadata", requires.error.issues[0]?.message ?? ""));
  for (const key of Object.keys(metadata)) {
    if (key.startsWith("kurisu-") && !ownKeys.has(key)) warn("metadata", `${key} is not known`);
  }
  const type = oneOf(["knowledge", "tool", "hybrid"] as const, metadata["kurisu-type"], "knowledge");
  const { sentences, leftOut } = collectSentences(folder);
  if (leftOut !== undefined) warn("", leftOut);
  const words = (key: string): string[] => list(key).slice(0, maxWords);
  const skill: Skill = {
    id,
    name: metadata["kurisu-name"] ?? id,
    version: metadata["version"] ?? "0.0.0",
    description: description.slice(0, 1024),
    type,
    trigger: { keywords: [...new Set([...words("keywords"), id])], topics: words("topics"), intents: list("intents") },
    sentences,
    language: oneOf(["zh", "en", "ja"] as const, metadata["kurisu-language"], guessLanguage(description)),
    context: text.slice(whole.length).trim(),
    examples: [],
    requires: requires.data,
    tools: { builtin: readTools(fields["allowed-tools"]), network: [] },
    folder,
    origin,
    mcpServers: [],
  };
  return { skill, faults: [], warnings };
}

const maxFileSize = 256 * 1024;
const knownKeys = new Set(["name", "description", "license", "compatibility", "metadata", "allowed-tools"]);
const ownKeys = new Set(
  [
    "name",
    "keywords",
    "topics",
    "intents",
    "language",
    "type",
    ...["platforms", "bins", "env", "config", "tools"].map((key) => `requires-${key}`),
  ].map((key) => `kurisu-${key}`),
);

type Frontmatter =
  | { readonly kind: "faulty"; readonly line: number; readonly column: number; readonly problem: string }
  | {
      readonly kind: "read";
      readonly fields: Readonly<Record<string, unknown>>;
      /** From 1, within the frontmatter. */
      readonly lineOf: (key: string) => number;
      /** Unquoted colons had to be quoted. */
      readonly mended: boolean;
    };

/** Many clients take `description: Use when: x`, which is no YAML; so it is read once more with such values quoted. */
function parseFrontmatter(head: string): Frontmatter {
  const quoted = head.replaceAll(
    /^([\w-]+):[ \t]+(?![ \t"'|>[{])(.*:(?:[ \t].*|))$/gm,
    (_, key: string, value: string) => `${key}: ${JSON.stringify(value)}`,
  );
  const first = parseOnce(head, false);
  if (first.kind === "read" || quoted === head) return first;
  const second = parseOnce(quoted, true);
  return second.kind === "read" ? second : first;
}

function parseOnce(head: string, mended: boolean): Frontmatter {
  const lines = new LineCounter();
  const document = parseDocument(head, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const [error] = document.errors;
  if (error) {
    const { line, col } = lines.linePos(error.pos[0]);
    return {
      kind: "faulty",
      line,
      column: Math.max(col, 1),
      problem: `is no valid YAML: ${error.message.split(/: |\n/)[0] ?? ""}`,
    };
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch {
    return { kind: "faulty", line: 1, column: 1, problem: "holds too many aliases" };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { kind: "faulty", line: 1, column: 1, problem: "has no keys in its frontmatter" };
  }
  const lineOf = (key: string): number =>
    Math.max(1, head.split("\n").findIndex((line) => line.startsWith(`${key}:`)) + 1);
  return { kind: "read", fields: value as Record<string, unknown>, lineOf, mended };
}

function readText(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

function readMetadata(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      const text = Array.isArray(item) ? item.map(String).join(",") : String(item);
      return typeof item === "object" && !Array.isArray(item) ? [] : [[key, text]];
    }),
  );
}

/** The tools that it names. They permit nothing. */
function readTools(value: unknown): string[] {
  const names = (readText(value) ?? "").match(/[\w-]+(?:\([^)]*\))?/g) ?? [];
  return [...new Set(names.map((name) => resolveAlias(name.replace(/\(.*$/, ""))))];
}

function splitList(text: string): string[] {
  return text
    .split(/[,，、;；\n]/)
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

function oneOf<const Value extends string>(
  allowed: readonly Value[],
  value: string | undefined,
  fallback: Value,
): Value {
  return allowed.find((one) => one === value) ?? fallback;
}

function guessLanguage(text: string): Skill["language"] {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return "ja";
  return /\p{Script=Han}/u.test(text) ? "zh" : "en";
}
