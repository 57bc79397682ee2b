import type { ExportSurvey } from "./import-format.ts";

const maxKeys = 8;
const maxLine = 60;

/** Describes a file that no format recognizes, so that its owner sees why it was not read. */
export function describeSurvey({ head, json }: ExportSurvey): string {
  if (json !== undefined) {
    const messages = [...json.messageKeys].filter((key) => !key.includes("."));
    if (messages.length > 0) return `${describeContainer(json.container)} of messages with ${listKeys(messages)}`;
    return `${describeContainer(json.container)} with ${listKeys(json.rootKeys)}`;
  }
  const text = head.trimStart();
  if (text === "") return "an empty file";
  if (text.startsWith("{") || text.startsWith("[")) return "JSON without messages, or JSON that breaks off";
  if (text.startsWith("<")) return "a web page or XML";
  const [first = ""] = text.split("\n", 1);
  const line = first.trim();
  return `text that begins with "${line.length > maxLine ? `${line.slice(0, maxLine)}…` : line}"`;
}

function describeContainer(container: "document" | "lines"): string {
  return container === "lines" ? "JSON, one object a line," : "a JSON document";
}

function listKeys(keys: readonly string[]): string {
  const shown = keys.slice(0, maxKeys).join(", ");
  return keys.length > maxKeys ? `${shown} and more` : shown || "no keys";
}
