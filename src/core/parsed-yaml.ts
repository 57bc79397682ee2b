import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { LineCounter, parseDocument } from "yaml";
import { isJsonObject } from "./is-json-object.ts";
import { parseJson } from "./parse-json.ts";

/**
 * The values of YAML texts that were parsed when the bundle was built: those of the shipped personas, skills and sub-agents,
 * which take 50 ms of a start. They lie beside the bundle, named by the hash of their text; any other text, and every text
 * where the sources run, is parsed.
 */
const folderName = "parsed";

interface ParsedYaml {
  readonly value: unknown;
}

export function parseYaml(text: string, lineCounter = new LineCounter()) {
  return parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: true, stringKeys: true });
}

export function findParsed(text: string, folder = import.meta.dirname): ParsedYaml | undefined {
  let kept: unknown;
  try {
    kept = parseJson(readFileSync(join(folder, nameParsed(text)), "utf8"));
  } catch {
    // There is none, or it cannot be read: then the text is parsed.
    return undefined;
  }
  return isJsonObject(kept) && "value" in kept ? { value: kept["value"] } : undefined;
}

/** The file to keep beside the bundle. Undefined for a text with faults, variables, or what JSON cannot say. */
export function describeParsed(text: string): { readonly name: string; readonly content: string } | undefined {
  const document = parseYaml(text);
  if (document.errors.length > 0 || document.warnings.length > 0) return undefined;
  const parsed: ParsedYaml = { value: document.toJS({ maxAliasCount: 100 }) ?? {} };
  const content = JSON.stringify(parsed);
  const isWhole = !content.includes("$") && isDeepStrictEqual(JSON.parse(content), parsed);
  return isWhole ? { name: nameParsed(text), content } : undefined;
}

const nameParsed = (text: string): string =>
  join(folderName, `${createHash("sha256").update(text).digest("hex").slice(0, 32)}.json`);
