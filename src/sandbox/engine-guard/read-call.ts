import type { IncomingMessage } from "node:http";
import { sandboxLabels } from "../container-spec.ts";
import type { ContainerPolicy } from "./check-container-body.ts";

/** A call of the engine's API that our sandbox makes. `target` is ours, never a piece of what was sent, but for the id. */
export type EngineCall =
  | { readonly kind: "plain"; readonly method: "GET" | "HEAD"; readonly target: string }
  | { readonly kind: "create"; readonly name: string }
  | {
      readonly kind: "container";
      readonly method: "GET" | "POST" | "DELETE";
      readonly id: string;
      readonly action: "inspect" | "attach" | "start" | "wait" | "kill" | "remove";
      readonly target: string;
    }
  | { readonly kind: "refused"; readonly reason: string };

/** Bytes. The longest command is 32 KiB of text, which JSON can write six times as long. */
export const maxBodyLength = 1024 * 1024;

const attached = "stream=true&stdout=true&stderr=true";

/** `METHOD /tail` of a container's calls, with the queries that are passed on, written in order of their names. */
const containerCalls: Readonly<Record<string, { readonly action: ContainerAction; readonly query: string }>> = {
  "GET /json": { action: "inspect", query: "" },
  "POST /attach?stderr=true&stdout=true&stream=true": { action: "attach", query: attached },
  "POST /attach?hijack=true&stderr=true&stdin=true&stdout=true&stream=true": {
    action: "attach",
    query: `${attached}&stdin=true`,
  },
  "POST /start": { action: "start", query: "" },
  "POST /wait?condition=not-running": { action: "wait", query: "condition=not-running" },
  "POST /kill": { action: "kill", query: "" },
  "DELETE ?force=true&v=true": { action: "remove", query: "force=true&v=true" },
};

type ContainerAction = Extract<EngineCall, { kind: "container" }>["action"];

/**
 * Reads method, address and headers; everything that is not on the list is refused. There is nothing to decode: no address
 * of ours holds a percent sign (but in the filter of the list, which is replaced), a dot, a double slash or a version.
 */
export function readCall(
  request: Pick<IncomingMessage, "method" | "url" | "headers" | "rawHeaders">,
  known: Pick<ContainerPolicy, "image" | "installation" | "browser">,
): EngineCall {
  const fault = findHeaderFault(request);
  if (fault !== undefined) return { kind: "refused", reason: fault };
  const { method = "", url = "" } = request;
  const mark = url.indexOf("?");
  const path = mark < 0 ? url : url.slice(0, mark);
  const query = mark < 0 ? "" : url.slice(mark + 1);
  if ((method === "GET" || method === "HEAD") && url === "/_ping") return { kind: "plain", method, target: url };
  const images = [known.image, ...(known.browser === undefined ? [] : [known.browser.image])];
  if (method === "GET" && (url === "/version" || images.some((image) => url === `/images/${image}/json`))) {
    return { kind: "plain", method, target: url };
  }
  if (method === "GET" && path === "/containers/json") return { kind: "plain", method, target: listTarget(known) };
  if (method === "POST" && path === "/containers/create") {
    const [, name] = /^name=(kurisu-[0-9a-f]{16})$/.exec(query) ?? [];
    return name === undefined ? { kind: "refused", reason: "the name is not ours" } : { kind: "create", name };
  }
  return readContainerCall(method, path, query);
}

function readContainerCall(method: string, path: string, query: string): EngineCall {
  const [, id, tail] = /^\/containers\/([0-9a-f]{64})((?:\/[a-z]+)?)$/.exec(path) ?? [];
  const ordered = query === "" ? "" : `?${query.split("&").toSorted().join("&")}`;
  const key = `${method} ${tail}${ordered}`;
  const call = Object.hasOwn(containerCalls, key) ? containerCalls[key] : undefined;
  if (id === undefined || call === undefined || !(method === "GET" || method === "POST" || method === "DELETE")) {
    return { kind: "refused", reason: "the sandbox makes no such call" };
  }
  const target = `/containers/${id}${tail}${call.query === "" ? "" : `?${call.query}`}`;
  return { kind: "container", method, id, action: call.action, target };
}

/** Whatever filter was asked for: only containers of this installation are shown. */
function listTarget({ installation }: { readonly installation: string }): string {
  const label = [`${sandboxLabels.sandbox}=1`, `${sandboxLabels.installation}=${installation}`];
  return `/containers/json?all=true&filters=${encodeURIComponent(JSON.stringify({ label }))}`;
}

/** Two readers of one request must not come to two results: no header twice, one way to tell the body's length. */
function findHeaderFault({ headers, rawHeaders }: Pick<IncomingMessage, "headers" | "rawHeaders">): string | undefined {
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  if (new Set(names).size !== names.length) return "a header is there twice";
  if (headers["transfer-encoding"] !== undefined) return "Transfer-Encoding is not taken; send Content-Length";
  const { "content-length": length = "0", "content-type": type } = headers;
  if (!/^\d{1,15}$/.test(length)) return "Content-Length is no number";
  if (Number(length) > maxBodyLength) return `the body is longer than ${maxBodyLength} bytes`;
  if (length !== "0" && type !== "application/json") return "Content-Type is not application/json";
  return undefined;
}
