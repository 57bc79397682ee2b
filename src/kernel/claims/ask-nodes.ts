import type { IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import type { Logger } from "pino";
import { createRareWarning } from "../../channels/rare-warning.ts";
import { type ChannelCall, channelCallPath, fetchedFileAbout, fetchedFileHeader } from "./channel-calls.ts";
import { postToNode } from "./post-to-node.ts";

interface Asked {
  readonly result: unknown;
}

type Ask<Answer> = (
  platform: string,
  call: ChannelCall,
  values: readonly unknown[],
  signal: AbortSignal,
) => Promise<Answer>;

/** Has calls to a channel answered by other processes of the database. */
export interface AskNodes {
  /** By the process that is connected to the platform. Returns undefined when none answered. */
  readonly owner: Ask<Asked | undefined>;
  /** By all others, for a platform whose clients may be connected to any of them. */
  readonly all: Ask<readonly Asked[]>;
  /** By all others at once; the first answer that fits. */
  first(...call: [...Parameters<Ask<unknown>>, fits: (asked: Asked) => boolean]): Promise<Asked | undefined>;
}

export function createAskNodes(deps: {
  readonly key: string;
  /** Addresses of processes, most recent report first: of those that say they are connected to the platform, or of all. */
  readonly listAddresses: (platform?: string) => readonly string[];
  readonly log: Logger;
}): AskNodes {
  const warn = createRareWarning(
    deps.log,
    "no process that is connected to the platform answered; live views and files of messages may be missing",
  );

  async function askOne(
    address: string,
    [platform, call, values, signal]: Parameters<Ask<unknown>>,
  ): Promise<Asked | undefined> {
    const body = { platform, call, arguments: dropUnset(values) };
    try {
      const response = await postToNode(new URL(channelCallPath, address), { body, key: deps.key, signal });
      if (response.statusCode === 200) return { result: await readResult(response) };
      response.resume();
      deps.log.debug(
        { platform, call, address, status: response.statusCode },
        "a process refused a call to a platform",
      );
    } catch (error) {
      deps.log.debug({ err: error, platform, call, address }, "a process did not answer a call to a platform");
    }
    return undefined;
  }

  return {
    async owner(...call) {
      const [platform, , , signal] = call;
      // The row of a process that was killed stays for some seconds beside that of its successor.
      for (const address of deps.listAddresses(platform)) {
        const answer = await askOne(address, call);
        if (answer) return answer;
        if (signal.aborted) break;
      }
      warn();
      return undefined;
    },
    async all(...call) {
      const answers = await Promise.all(deps.listAddresses().map((address) => askOne(address, call)));
      const found = answers.filter((answer) => answer !== undefined);
      const missing = answers.length - found.length;
      if (missing > 0 && call[1].startsWith("erase"))
        deps.log.warn({ missing }, "files at processes that did not answer were not erased; erase them again later");
      return found;
    },
    async first(platform, call, values, signal, fits) {
      const answers = deps.listAddresses().map(async (address) => {
        const answer = await askOne(address, [platform, call, values, signal]);
        if (answer && fits(answer)) return answer;
        throw new Error("another process may have it");
      });
      return Promise.any(answers).catch(() => undefined);
    },
  };
}

/** Optional arguments come last, and JSON has no undefined. */
function dropUnset(values: readonly unknown[]): readonly unknown[] {
  return values.slice(0, values.findLastIndex((value) => value !== undefined) + 1);
}

async function readResult(response: IncomingMessage): Promise<unknown> {
  const content = await buffer(response);
  const about = response.headers[fetchedFileHeader];
  if (typeof about !== "string") return (JSON.parse(content.toString("utf8")) as { readonly result?: unknown }).result;
  return { kind: "fetched", content, ...fetchedFileAbout.parse(JSON.parse(decodeURIComponent(about))) };
}
