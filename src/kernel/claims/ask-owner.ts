import { type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";
import type { Logger } from "pino";
import { createRareWarning } from "../../channels/rare-warning.ts";
import { type ChannelCall, channelCallPath, fetchedFileAbout, fetchedFileHeader } from "./channel-calls.ts";

/** Has a call answered by the process that is connected to the platform. Returns undefined when none answered. */
export type AskOwner = (
  platform: string,
  call: ChannelCall,
  values: readonly unknown[],
  signal: AbortSignal,
) => Promise<{ readonly result: unknown } | undefined>;

export function createAskOwner(deps: {
  readonly key: string;
  /** The addresses of processes that say they are connected to the platform, most recent report first. */
  readonly listAddresses: (platform: string) => readonly string[];
  readonly log: Logger;
}): AskOwner {
  const warn = createRareWarning(
    deps.log,
    "no process that is connected to the platform answered; live views and files of messages may be missing",
  );
  return async (platform, call, values, signal) => {
    const body = JSON.stringify({ platform, call, arguments: dropUnset(values) });
    // The row of a process that was killed stays for some seconds beside that of its successor.
    for (const address of deps.listAddresses(platform)) {
      try {
        const response = await post(new URL(channelCallPath, address), deps.key, body, signal);
        if (response.statusCode === 200) return { result: await readResult(response) };
        response.resume();
        deps.log.debug(
          { platform, call, address, status: response.statusCode },
          "a process refused a call to a platform",
        );
      } catch (error) {
        deps.log.debug({ err: error, platform, call, address }, "a process did not answer a call to a platform");
      }
      if (signal.aborted) break;
    }
    warn();
    return undefined;
  };
}

/** Optional arguments come last, and JSON has no undefined. */
function dropUnset(values: readonly unknown[]): readonly unknown[] {
  return values.slice(0, values.findLastIndex((value) => value !== undefined) + 1);
}

/** Never by a proxy: the address is one of our own processes. */
function post(url: URL, key: string, body: string, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const asking = request(url, { method: "POST", headers, signal }, resolve);
    asking.on("error", reject);
    asking.end(body);
  });
}

async function readResult(response: IncomingMessage): Promise<unknown> {
  const content = await buffer(response);
  const about = response.headers[fetchedFileHeader];
  if (typeof about !== "string") return (JSON.parse(content.toString("utf8")) as { readonly result?: unknown }).result;
  return { kind: "fetched", content, ...fetchedFileAbout.parse(JSON.parse(decodeURIComponent(about))) };
}
