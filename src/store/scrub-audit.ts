import { PrimitiveValueListNode, ValuesNode, type KyselyPlugin, type RootOperationNode } from "kysely";
import type { JsonValue } from "../core/canonical-json.ts";
import { digestAuditText } from "./queries/audit-text.ts";

type Scrub = (text: string) => string;

/**
 * Takes secrets out of the details of every row of the audit, and of the words stored with it, on its way into the
 * table, whichever code writes it. The other columns hold names and ids of ours. The digest of words is made here, of
 * what is stored.
 */
export function createAuditScrubber(scrub: Scrub): KyselyPlugin {
  return {
    transformQuery: ({ node }) => scrubInsert(node, scrub),
    transformResult: ({ result }) => Promise.resolve(result),
  };
}

function scrubInsert(node: RootOperationNode, scrub: Scrub): RootOperationNode {
  const table = node.kind === "InsertQueryNode" ? node.into?.table.identifier.name : undefined;
  if (node.kind !== "InsertQueryNode" || (table !== "audit" && table !== "audit_texts")) return node;
  const placeOf = (name: string) => node.columns?.findIndex(({ column }) => column.name === name) ?? -1;
  const [place, salt, digest] = [placeOf("detail"), placeOf("salt"), placeOf("digest")];
  if (place === -1 || !node.values || !ValuesNode.is(node.values)) throw unknownShape();
  const rows = node.values.values.map((row) => {
    if (!PrimitiveValueListNode.is(row)) throw unknownShape();
    const values = row.values.map((value, index) => (index === place ? scrubDetail(String(value), scrub) : value));
    if (table === "audit_texts") values[digest] = digestAuditText(String(values[salt]), String(values[place]));
    return PrimitiveValueListNode.create(values);
  });
  return { ...node, values: ValuesNode.create(rows) };
}

/** Only inspected shapes are written. */
function unknownShape(): Error {
  return new Error("rows of the audit are written with plain values and their details only");
}

/** Text by text: a replaced piece must not take a quotation mark of the JSON along. */
function scrubDetail(detail: string, scrub: Scrub): string {
  return JSON.stringify(scrubValue(JSON.parse(detail) as JsonValue, scrub));
}

function scrubValue(value: JsonValue, scrub: Scrub): JsonValue {
  if (typeof value === "string") return scrub(value);
  if (Array.isArray(value)) return value.map((item: JsonValue) => scrubValue(item, scrub));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [scrub(key), scrubValue(item, scrub)]));
}
