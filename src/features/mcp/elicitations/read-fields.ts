import { mcpWords } from "../words.ts";
import type { JsonValue } from "../../../core/canonical-json.ts";
import type { JsonObject, Language } from "../../../core/conversation.ts";
import type { McpField } from "../connection/types.ts";

/** The filled-in fields, or their fault as a text for the person. */
export type FilledFields =
  | { readonly kind: "filled"; readonly content: JsonObject }
  | { readonly kind: "faulty"; readonly text: string };

const maxValueLength = 4_000;

/** The fields of a bare approval: every default, and true for a single yes-or-no question. */
export function fillByYes(fields: readonly McpField[], language: Language): FilledFields {
  const [only, ...others] = fields;
  if (only?.type === "boolean" && others.length === 0) return { kind: "filled", content: { [only.name]: true } };
  return complete({}, fields, language);
}

/** A single field takes the whole text; several are written `name: value`, one per line. */
export function readFields(text: string, fields: readonly McpField[], language: Language): FilledFields {
  const [only, ...others] = fields;
  const given = new Map<string, string>();
  if (only && others.length === 0)
    given.set(only.name, text.trim().replace(new RegExp(`^${escape(only.name)}\\s*[:：=]\\s*`), ""));
  else {
    for (const line of text.split("\n")) {
      const written = line.trim();
      const at = written.slice(1).search(/[:：=]/) + 1;
      const name = written.slice(0, at).trim();
      const field = fields.find((one) => one.name === name || one.title === name);
      if (at > 0 && field) given.set(field.name, written.slice(at + 1).trim());
    }
  }
  const content: Record<string, JsonValue> = {};
  for (const field of fields) {
    const value = given.get(field.name);
    if (value === undefined || value === "") continue;
    const read = value.length > maxValueLength ? undefined : readValue(value, field);
    if (read === undefined)
      return {
        kind: "faulty",
        text: mcpWords[language].wrongField({ name: field.name, about: describeType(field, language) }),
      };
    content[field.name] = read;
  }
  return complete(content, fields, language);
}

function complete(content: JsonObject, fields: readonly McpField[], language: Language): FilledFields {
  const usual = Object.fromEntries(
    fields.flatMap(({ name, usual: value }) => (value === undefined ? [] : [[name, value]])),
  );
  const all = { ...usual, ...content };
  const missing = fields.filter(({ name, required }) => required && all[name] === undefined).map(({ name }) => name);
  if (missing.length > 0) return { kind: "faulty", text: mcpWords[language].mustFill(missing) };
  return { kind: "filled", content: all };
}

function readValue(text: string, { type, values }: McpField): JsonValue | undefined {
  switch (type) {
    case "string":
      return text;
    case "number":
    case "integer": {
      const number = Number(text.normalize("NFKC"));
      const fits = Number.isFinite(number) && (type === "number" || Number.isInteger(number));
      return fits ? number : undefined;
    }
    case "boolean":
      if (/^(?:是|对|true|yes|y|はい)$/i.test(text)) return true;
      return /^(?:否|不|不是|false|no|n|いいえ)$/i.test(text) ? false : undefined;
    case "choice":
      return values.find((value) => value === text);
    case "choices": {
      const chosen = text
        .split(/[,，、]/)
        .map((part) => part.trim())
        .filter((part) => part !== "");
      return chosen.every((part) => values.includes(part)) ? chosen : undefined;
    }
  }
}

/** The allowed values, for the person. */
export function describeType({ type, values }: McpField, language: Language): string {
  switch (type) {
    case "string":
      return mcpWords[language].fieldText;
    case "number":
    case "integer":
      return mcpWords[language].fieldNumber;
    case "boolean":
      return mcpWords[language].fieldBoolean;
    case "choice":
      return mcpWords[language].fieldChoice(values);
    case "choices":
      return mcpWords[language].fieldChoices(values);
  }
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
