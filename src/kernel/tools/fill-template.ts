import type { JsonValue } from "../../core/canonical-json.ts";

export type TemplateValues = Readonly<Record<string, string | number | boolean>>;

const placeholder = /\{([a-z][a-z0-9_]*)\}/g;

/** Names of the arguments anywhere in a template. */
export function listPlaceholders(template: JsonValue): readonly string[] {
  if (typeof template === "string") return [...template.matchAll(placeholder)].map((match) => match[1] ?? "");
  if (template === null || typeof template !== "object") return [];
  return Object.values(template).flatMap((item) => listPlaceholders(item));
}

/** A text that is a single placeholder becomes the value itself, so that numbers stay numbers. */
export function fillTemplate(template: JsonValue, values: TemplateValues): JsonValue {
  if (typeof template === "string") {
    const alone = /^\{([a-z][a-z0-9_]*)\}$/.exec(template)?.[1];
    return alone === undefined ? fillText(template, values, String) : (values[alone] ?? null);
  }
  if (Array.isArray(template)) return template.map((item: JsonValue) => fillTemplate(item, values));
  if (template === null || typeof template !== "object") return template;
  return Object.fromEntries(Object.entries(template).map(([key, item]) => [key, fillTemplate(item, values)]));
}

/**
 * Fills an address with every value encoded, so that none can leave its place in the path or the query. Returns
 * undefined when a value would be a path step of its own (`.`, `..`).
 */
export function fillAddress(
  endpoint: string,
  query: Readonly<Record<string, string>>,
  values: TemplateValues,
): URL | undefined {
  const used = listPlaceholders(endpoint).map((name) => String(values[name] ?? ""));
  if (used.some((value) => /^\.{0,2}$/.test(value))) return undefined;
  const url = new URL(fillText(endpoint, values, encodeURIComponent));
  for (const [key, template] of Object.entries(query)) url.searchParams.append(key, fillText(template, values, String));
  return url;
}

function fillText(template: string, values: TemplateValues, encode: (value: string) => string): string {
  return template.replaceAll(placeholder, (_, name: string) => encode(String(values[name] ?? "")));
}
