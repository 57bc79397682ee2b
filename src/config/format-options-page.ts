import { z } from "zod";
import { byteSizeOption } from "../core/byte-size.ts";
import { durationOption } from "../core/duration.ts";
import { environmentGroups } from "./environment.ts";
import { isKeyOfTheStart } from "./keys-of-the-start.ts";
import { formatJsonSchema, schemaNames, systemFileNames } from "./system-files.ts";

/** Writes docs/reference/options.md: a table for each file that has a schema, and the environment variables. */

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly $ref?: string;
}

export interface OptionRow {
  /** Dotted path; the name of a tool, a server or an argument is written NAME, and a list adds nothing. */
  readonly key: string;
  readonly type: string;
  readonly default: string;
  readonly meaning: string;
}

const head = `# Options

<!-- Written by \`node scripts/node.mjs scripts/config-schema.mjs\` from the schemas in the code. Change those. -->

All keys of the files in \`config/\`, and all environment variables. [Configuration](../configuration.md) says where they stand and how
values are written. Each file and each key is optional, unless its default is *needed*. A name of your own is written NAME. *Next start*: a
change of the key counts from the next start on; every other key follows a changed file at once.
`;

export function formatOptionsPage(): string {
  const files = schemaNames.map((name) => {
    const schema = JSON.parse(formatJsonSchema(name)) as JsonSchema;
    const path = /\(config\/(?:system\/)?(\S+)\)/.exec(schema.description ?? "")?.[1] ?? `${name}.yaml`;
    return [
      `## \`${path}\``,
      toMarkdown(toText(schema).replace(/ \(config\/\S+\)/, "")),
      formatKeys(listOptions(name)),
    ].join("\n\n");
  });
  const variables = [...environmentGroups].map(([group, shape]) =>
    [`### ${group}`, formatVariables(listVariables(shape))].join("\n\n"),
  );
  return `${[head.trimEnd(), ...files, "## Environment variables", ...variables].join("\n\n")}\n`;
}

/** The keys of a file, sections included. */
export function listOptions(name: string): readonly OptionRow[] {
  const rows = listRows(JSON.parse(formatJsonSchema(name)) as JsonSchema, []);
  return systemFileNames.includes(name)
    ? rows.map((row) => (isKeyOfTheStart(name, row.key) ? { ...row, meaning: `${row.meaning} *Next start.*` } : row))
    : rows;
}

export function listVariables(shape: z.ZodRawShape): readonly OptionRow[] {
  return listRows(z.toJSONSchema(z.object(shape), { io: "input", unrepresentable: "any" }) as JsonSchema, []);
}

function listRows(schema: JsonSchema, path: readonly string[]): OptionRow[] {
  const children = Object.entries(schema.properties ?? {});
  if (typeof schema.additionalProperties === "object") children.push(["NAME", schema.additionalProperties]);
  const rows = children.flatMap(([key, child]) => {
    const below = [...path, key];
    // The section `sandbox` of tools.yaml has the keys of sandbox.yaml, which has a table of its own.
    const inner = key === "sandbox" && path.length === 0 ? [] : listRows(child, below);
    // An entry of a map that says nothing of itself is told by its keys, or by the map.
    if (key === "NAME" && child.description === undefined) return inner;
    return [toRow(child, below, schema.required?.includes(key) === true), ...inner];
  });
  return [
    ...rows,
    ...[...(schema.items ? [schema.items] : []), ...(schema.anyOf ?? [])].flatMap((inner) => listRows(inner, path)),
  ];
}

/** The sentence of a description that names its default; a point inside of a word does not end it. */
const defaultSentence = /(?:^|\s)Default: ([^.]+(?:\.[^.\s][^.]*)*)\./;

function toRow(schema: JsonSchema, path: readonly string[], isNeeded: boolean): OptionRow {
  const text = schema.description ?? "";
  const [, told] = defaultSentence.exec(text) ?? [];
  const isSection = schema.properties !== undefined || typeof schema.additionalProperties === "object";
  const unset = isNeeded ? "*needed*" : isSection ? "" : "unset";
  return {
    key: path.join("."),
    type: toType(schema),
    default: told ?? (schema.default === undefined || isSection ? unset : `\`${formatValue(schema.default)}\``),
    meaning: toText(schema),
  };
}

/** The description without its default. */
function toText({ description = "" }: JsonSchema): string {
  return description.replace(defaultSentence, "").trim();
}

function formatValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatValue).join(", ")}]`;
  return typeof value === "string" ? value || '""' : JSON.stringify(value);
}

const kindOfPattern: readonly (readonly [string, string])[] = [
  [z.toJSONSchema(durationOption, { io: "input" }).pattern ?? "", "time"],
  [z.toJSONSchema(byteSizeOption, { io: "input" }).pattern ?? "", "size"],
];

function toType(schema: JsonSchema): string {
  if (schema.const !== undefined) return `\`${formatValue(schema.const)}\``;
  if (schema.enum)
    return schema.enum.length > 12 ? "name" : schema.enum.map((value) => `\`${formatValue(value)}\``).join(", ");
  if (schema.anyOf) {
    const [first = {}, second = {}] = schema.anyOf;
    if (first.type === "string" && second.type === "integer") return "id";
    return [...new Set(schema.anyOf.map(toType))].join(" or ");
  }
  if (schema.$ref !== undefined) return "JSON";
  if (schema.properties) return "section";
  if (typeof schema.additionalProperties === "object") return "by name";
  if (schema.items) return `list of ${toType(schema.items)}`;
  if (Array.isArray(schema.type)) return schema.type.map((type) => toType({ type: String(type) })).join(", ");
  if (schema.type === "boolean") return "`true`, `false`";
  if (schema.type === "integer" || schema.type === "number") return toRange(schema);
  if (schema.format === "uri") return "address";
  return kindOfPattern.find(([pattern]) => pattern === schema.pattern)?.[1] ?? "text";
}

function toRange({ type, minimum, maximum, exclusiveMinimum }: JsonSchema): string {
  const kind = type === "integer" ? "whole number" : "number";
  const least = Math.abs(minimum ?? Infinity) > 1e9 ? undefined : minimum;
  const most = Math.abs(maximum ?? Infinity) > 1e9 ? undefined : maximum;
  if (exclusiveMinimum !== undefined)
    return `${kind} over ${exclusiveMinimum}${most === undefined ? "" : `, to ${most}`}`;
  if (least === undefined) return kind;
  return most === undefined ? `${kind} from ${least}` : `${kind}, ${least} to ${most}`;
}

function formatKeys(rows: readonly OptionRow[]): string {
  const lines = rows.map((row) => [`\`${row.key}\``, row.type, toMarkdown(row.default), toMarkdown(row.meaning)]);
  return formatTable(["key", "value", "default", "meaning"], lines);
}

function formatVariables(rows: readonly OptionRow[]): string {
  const lines = rows.map((row) => [`\`${row.key}\``, toMarkdown(row.default), toMarkdown(row.meaning)]);
  return formatTable(["name", "default", "meaning"], lines);
}

function formatTable(names: readonly string[], lines: readonly (readonly string[])[]): string {
  return [names, names.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Pages of docs/ become links; outside of code spans, marks of Markdown stand for themselves. */
function toMarkdown(text: string): string {
  return text
    .split(/(`[^`]*`|\*Next start\.\*|\*needed\*)/)
    .map((part, index) => (index % 2 === 1 ? part : linkPages(part.replaceAll(/[*<|]/g, String.raw`\$&`))))
    .join("");
}

function linkPages(text: string): string {
  return text.replaceAll(
    /docs\/([\w./-]+\.md)(#[\w-]+)?/g,
    (_, page: string, heading = "") => `[${page}](../${page}${heading})`,
  );
}
