import type { JsonValue } from "../../../core/canonical-json.ts";
import type { JsonObject } from "../../../core/conversation.ts";
import { isJsonObject } from "../../../core/is-json-object.ts";
import { isShallow } from "../json/is-shallow.ts";
import { dropNulls, isGiven } from "../json/drop-nulls.ts";

/** The key for a result that is no object: the protocol, and the SDK with it, knows objects only. */
export const bareResult = "kurisu.bare";

const maxDepth = 32;
/** JSON-RPC 2.0: an error of the server's own. */
const internalError = -32_603;

/**
 * Converts a server's message into one that the SDK accepts. The SDK drops what it cannot read, and a dropped answer
 * makes a call that has run look as if it had not arrived.
 */
export function mendMessage(message: unknown): unknown {
  if (Array.isArray(message)) return message.map((one: unknown) => mendMessage(one));
  if (!isJsonObject(message)) return message;
  if (typeof message["method"] === "string") return mendRequest(message);
  const { id, result, error } = message;
  if (isGiven(error)) return { jsonrpc: "2.0", ...(isGiven(id) && { id }), error: mendError(error) };
  if (result === undefined || !isGiven(id)) return message;
  return { jsonrpc: "2.0", id, result: mendResult(result) };
}

/** The same for a message as text; text that is no JSON is returned unchanged. */
export function mendText(text: string): string {
  try {
    return JSON.stringify(mendMessage(JSON.parse(text)));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return text;
    throw error;
  }
}

/** Requests and notifications of the server: fields that are null count as absent. */
function mendRequest({ params, ...rest }: JsonObject): JsonObject {
  const said =
    params === undefined || params === null ? {} : { params: isShallow(params, maxDepth) ? dropNulls(params) : params };
  return { ...rest, jsonrpc: "2.0", ...said };
}

function mendResult(result: JsonValue): JsonObject {
  if (!isJsonObject(result)) return { [bareResult]: result };
  const { _meta, ...rest } = result;
  // Only the answer to the first request of all has both.
  if (typeof rest["protocolVersion"] !== "string" || !("capabilities" in rest) || !isShallow(rest, maxDepth))
    return rest;
  const { capabilities = {}, serverInfo, instructions, protocolVersion } = dropNulls(rest) as JsonObject;
  const { name, version, title } = isJsonObject(serverInfo) ? serverInfo : ({} as JsonObject);
  return {
    protocolVersion: protocolVersion as string,
    capabilities: isJsonObject(capabilities) ? mendCapabilities(capabilities) : {},
    serverInfo: { name: toText(name), version: toText(version), ...(typeof title === "string" && { title }) },
    ...(typeof instructions === "string" && { instructions }),
  };
}

/** Each is an object by the specification; `true` means the same. */
function mendCapabilities(capabilities: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(capabilities)
      .filter(([, value]) => value !== false)
      .map(([name, value]) => [name, isJsonObject(value) ? keepFlags(value) : {}]),
  );
}

/** We use nothing of a capability but that it is there. */
function keepFlags(capability: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(capability).filter(([, value]) => typeof value === "boolean"));
}

function mendError(error: JsonValue): JsonObject {
  if (!isJsonObject(error)) return { code: internalError, message: toText(error) };
  const { code, message, data } = error;
  const number = Number(code);
  return {
    code: isGiven(code) && Number.isInteger(number) ? number : internalError,
    message: typeof message === "string" ? message : JSON.stringify(message ?? error),
    ...(isGiven(data) && { data }),
  };
}

function toText(value: JsonValue | undefined): string {
  if (!isGiven(value)) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
