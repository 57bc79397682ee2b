import type { JsonShape } from "./import-format.ts";
import { readFields, readId, readList, readText, type Fields } from "./read-fields.ts";

/** A file that says in which others an export lies. */
export interface Manifest {
  /** Their names, relative to the manifest, in their order; none = it names none, so all of the folder are meant. */
  readonly chunks: readonly string[];
  /** The folder of the chunks. */
  readonly folder: string;
  /** The chat, as the manifest describes it. */
  readonly beside: Fields;
}

const nameKeys = ["relativePath", "file", "path", "fileName", "filename", "name"];

/**
 * The manifest of shuakami/qq-chat-exporter (chunked-jsonl), and others with a list of chunks; undefined = it is none. V5.0 names
 * a chunk by file, V5.5 by relativePath and fileName. Sources: qq-chat-exporter 888b51f (chunked_jsonl_writer.rs) and
 * hellodigua/ChatLab 4e7ba91 (shuakami-qq-exporter-chunked.ts).
 */
export function readManifest({ messageKeys, root }: JsonShape): Manifest | undefined {
  if (messageKeys.size > 0) return undefined;
  const chunked = readFields(root["chunked"]);
  const isNamed = readText(readFields(root["metadata"])?.["format"]).startsWith("chunked");
  if (chunked === undefined && !Array.isArray(root["chunks"]) && !isNamed) return undefined;
  const listed = readList(chunked?.["chunks"] ?? root["chunks"]);
  const names = listed.map(readChunkName).filter((name) => name !== "");
  return { chunks: names, folder: readText(chunked?.["chunksDir"]) || "chunks", beside: root };
}

function readChunkName(chunk: unknown): string {
  if (typeof chunk === "string") return toPath(chunk);
  const fields = readFields(chunk) ?? {};
  return toPath(nameKeys.map((key) => readId(fields[key]) ?? "").find((name) => name !== "") ?? "");
}

/** Exports of Windows may have its separators. */
function toPath(name: string): string {
  return name.replaceAll("\\", "/");
}
