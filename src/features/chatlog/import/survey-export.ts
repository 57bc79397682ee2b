import { parseJson } from "../../../core/parse-json.ts";
import { decodeText } from "./decode-text.ts";
import type { ExportSurvey, JsonShape } from "./import-format.ts";
import { readFields, type Fields } from "./read-fields.ts";
import { createLineSplitter } from "./split-lines.ts";
import { walkMessages } from "./walk-messages.ts";

/** The number of characters from which text formats are recognised: their beginning identifies them. */
const headSize = 32_768;
/** This many messages show which keys theirs have; each chat is sampled, since the first may hold only notices. */
const [maxSamples, maxOfOneChat] = [200, 40];

/** Streams through a whole file once and reports what it holds. */
export async function surveyExport(bytes: AsyncIterable<Uint8Array>): Promise<ExportSurvey> {
  let head = "";
  const document = surveyDocument();
  const lines = surveyLines();
  let isJson: boolean | undefined;
  for await (const text of decodeText(bytes)) {
    if (head.length < headSize) head = `${head}${text}`.slice(0, headSize);
    const [first] = head.trimStart();
    if (first === undefined) continue;
    // A comment may stand before the lines.
    isJson = first === "{" || first === "[" || first === "#";
    if (!isJson) {
      if (head.length >= headSize) return { head };
      continue;
    }
    document.push(text);
    lines.push(text);
    if (document.isBroken() && lines.isFull()) break;
  }
  if (isJson !== true) return { head };
  const json = document.end() ?? lines.end();
  return { head, ...(json !== undefined && { json }) };
}

/** The structure of one document; undefined if it is none, or holds no messages. */
function surveyDocument() {
  const keys = new Set<string>();
  const seen = new Map<number, number>();
  let samples = 0;
  let isBroken = false;
  const walk = walkMessages({
    wants(holder) {
      const count = (seen.get(holder) ?? 0) + 1;
      if (samples >= maxSamples || count > maxOfOneChat) return false;
      seen.set(holder, count);
      samples += 1;
      return true;
    },
    onMessage: (text) => noteKeys(text === undefined ? undefined : readFields(parseJson(text)), keys),
    onBroken: () => (isBroken = true),
  });
  return {
    push: walk.push,
    isBroken: () => isBroken,
    end(): JsonShape | undefined {
      walk.end();
      const { holders, root, rootKeys } = walk;
      // With one object per line, the first is complete, and others follow.
      if (isBroken && walk.isClosed()) return undefined;
      const isKnown = ["chunked", "chunks", "chats", "chatInfo"].some((key) => rootKeys.includes(key));
      if (keys.size === 0 && !isKnown) return undefined;
      return { container: "document", messageKeys: keys, holders, root, rootKeys };
    },
  };
}

/** The structure of objects that stand one a line; undefined = there is none. */
function surveyLines() {
  const keys = new Set<string>();
  let root: Fields = {};
  let rootKeys: readonly string[] = [];
  let samples = 0;
  const splitter = createLineSplitter((line) => {
    if (samples >= maxSamples || !line.trimStart().startsWith("{")) return;
    samples += 1;
    const fields = readFields(parseJson(line.trim()));
    if (fields === undefined) return;
    if (rootKeys.length === 0) rootKeys = Object.keys(fields).slice(0, 30);
    if (fields["_type"] === "header") root = fields;
    else if (fields["_type"] !== "member") noteKeys(fields, keys);
  });
  return {
    push(text: string) {
      if (samples < maxSamples) splitter.push(text);
    },
    isFull: () => samples >= maxSamples,
    end(): JsonShape | undefined {
      splitter.end();
      if (rootKeys.length === 0) return undefined;
      return { container: "lines", messageKeys: keys, holders: [], root, rootKeys };
    },
  };
}

function noteKeys(message: Fields | undefined, keys: Set<string>): void {
  for (const [key, value] of Object.entries(message ?? {})) {
    if (keys.size > 1_000) return;
    keys.add(key);
    for (const inner of Object.keys(readFields(value) ?? {}).slice(0, 50)) keys.add(`${key}.${inner}`);
  }
}
