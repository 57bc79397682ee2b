import type { JsonValue } from "../../../core/canonical-json.ts";
import type { JsonObject } from "../../../core/conversation.ts";
import { isJsonObject } from "../../../core/is-json-object.ts";
import type { McpPrompt, McpResource, McpResourceTemplate } from "../servers/types.ts";
import { bareResult } from "./mend-message.ts";
import { readContents } from "./read-content.ts";
import type { McpPromptMessage } from "./types.ts";
import { isGiven } from "../json/drop-nulls.ts";

/** Lists of a server. One entry that cannot be read hides no other, and what was left open is empty. */

/** The entries under a name, or those of a result that is the list itself. */
export function listEntries(result: JsonObject, name: string): readonly JsonValue[] {
  const list = result[name] ?? result[bareResult];
  return Array.isArray(list) ? (list as readonly JsonValue[]) : [];
}

/** The cursor of the next page; undefined = that was the last one. */
export function readCursor({ nextCursor }: JsonObject): string | undefined {
  if (typeof nextCursor === "number") return String(nextCursor);
  return typeof nextCursor === "string" && nextCursor !== "" ? nextCursor : undefined;
}

export function readResources(result: JsonObject): readonly McpResource[] {
  return listEntries(result, "resources").flatMap((one) => {
    const [uri, { name, description, mimeType }] = [readText(one, "uri"), readTexts(one)];
    return uri === "" ? [] : [{ uri, name: name || uri, description, mimeType }];
  });
}

export function readTemplates(result: JsonObject): readonly McpResourceTemplate[] {
  return listEntries(result, "resourceTemplates").flatMap((one) => {
    const [uriTemplate, { name, description, mimeType }] = [readText(one, "uriTemplate"), readTexts(one)];
    return uriTemplate === "" ? [] : [{ uriTemplate, name: name || uriTemplate, description, mimeType }];
  });
}

export function readPrompts(result: JsonObject): readonly McpPrompt[] {
  return listEntries(result, "prompts").flatMap((one) => {
    const { name, description } = readTexts(one);
    if (name === "" || !isJsonObject(one)) return [];
    const wanted = listEntries(one, "arguments").flatMap((argument) => {
      const own = readText(argument, "name");
      const required = isJsonObject(argument) && argument["required"] === true;
      return own === "" ? [] : [{ name: own, required }];
    });
    return [{ name, description, arguments: wanted }];
  });
}

export function readPromptMessages(result: JsonObject): readonly McpPromptMessage[] {
  return listEntries(result, "messages").flatMap((one) => {
    const role = readText(one, "role") === "assistant" ? "assistant" : "user";
    const content = isJsonObject(one) ? one["content"] : one;
    return readContents(content).map((block) => ({ role, block }) as const);
  });
}

function readTexts(entry: JsonValue) {
  const read = (name: string) => readText(entry, name);
  return { name: read("name"), description: read("description"), mimeType: read("mimeType") };
}

function readText(entry: JsonValue, name: string): string {
  const value = isJsonObject(entry) ? entry[name] : undefined;
  return isGiven(value) && typeof value === "string" ? value : "";
}
