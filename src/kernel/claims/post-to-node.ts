import { type IncomingMessage, request } from "node:http";

/** Posts JSON to another process of the database. Never by a proxy: the address is one of our own processes. */
export function postToNode(
  url: URL,
  { body, key, signal }: { readonly body: unknown; readonly key: string; readonly signal: AbortSignal },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const asking = request(url, { method: "POST", headers, signal }, resolve);
    asking.on("error", reject);
    asking.end(JSON.stringify(body));
  });
}
