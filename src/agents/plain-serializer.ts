import type { SerializerProtocol } from "@langchain/langgraph-checkpoint";

/**
 * What is stored comes back as the data it was. LangGraph makes objects out of records with a key `lc`, and the arguments
 * of a call are whatever a model wrote: so that key of ours is stored under another name, and no record of ours is one.
 */
export function keepPlainData(serializer: SerializerProtocol): SerializerProtocol {
  return {
    dumpsTyped: (value: unknown) => serializer.dumpsTyped(renameKeys(value, hide)),
    loadsTyped: async (type, bytes) => renameKeys(await serializer.loadsTyped(type, bytes), show),
  };
}

const hide = (key: string): string => (/^\$*lc$/.test(key) ? `$${key}` : key);
const show = (key: string): string => (/^\$+lc$/.test(key) ? key.slice(1) : key);

/** Of arrays and plain objects; what has a class is LangGraph's own. */
function renameKeys(value: unknown, rename: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renameKeys(item, rename));
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [rename(key), renameKeys(item, rename)]));
}

function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
