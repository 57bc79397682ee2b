import type { JsonValue } from "../../../core/canonical-json.ts";
import type { JsonObject } from "../../../core/conversation.ts";
import { isJsonObject } from "../../../core/is-json-object.ts";
import { isShallow } from "../json/is-shallow.ts";
import { bareResult } from "./mend-message.ts";
import { isBlock, readContents } from "./read-content.ts";
import type { McpAnswer } from "./types.ts";
import { isGiven } from "../json/drop-nulls.ts";

const maxDepth = 64;

/**
 * The result of a call. The call has run, so whatever the server sent is an answer: if the envelope is missing, the raw
 * result is the content.
 */
export function readAnswer(result: JsonObject): McpAnswer {
  if (!isShallow(result, maxDepth)) return tellUnread(result);
  const { content, structuredContent, isError, toolResult, task, _meta, [bareResult]: bare, ...rest } = result;
  const failed = { isError: isError === true || isError === "true" };
  // A lone object is a block only if it says so; else it is the data itself.
  const isData = isJsonObject(content) && !isBlock(content);
  const blocks = isData ? [] : readContents(content ?? (Array.isArray(bare) && bare.some(isBlock) ? bare : undefined));
  const candidates: readonly (JsonValue | undefined)[] = [structuredContent, isData ? content : undefined];
  // The oldest servers call it `toolResult`. If there is content, all other keys belong to the protocol.
  const further = blocks.length > 0 ? [] : [toolResult, bare, task, Object.keys(rest).length > 0 ? rest : undefined];
  const given = [...candidates, ...further].find((value) => isGiven(value));
  const isEmpty = isJsonObject(given) && Object.keys(given).length === 0;
  const structured = isEmpty ? undefined : given;
  if (typeof structured === "string" && blocks.length === 0)
    return { ...failed, blocks: [{ kind: "text", text: structured }] };
  return { ...failed, blocks, ...(structured !== undefined && { structured }) };
}

/** The texts of a result that is otherwise too deep to walk. */
function tellUnread({ content, isError }: JsonObject): McpAnswer {
  const note = `It ran; the result could not be read: it is nested more than ${maxDepth} levels deep.`;
  const list: readonly JsonValue[] = Array.isArray(content) ? content : [];
  const readable = list.filter((block) => isShallow(block, maxDepth));
  return { isError: isError === true, blocks: [{ kind: "text", text: note }, ...readContents(readable)] };
}
