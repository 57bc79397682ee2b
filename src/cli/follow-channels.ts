import { sleep } from "../core/abort.ts";
import type { Words } from "../core/words/dictionary.ts";
import type { Readiness } from "../kernel/http/mount-readiness.ts";
import type { Kurisu } from "./types.ts";

const pollMs = [1_000, 10_000] as const;
const soonMs = 60_000;
/** Then people look at /readyz or ask the doctor. */
const maxMs = 600_000;

/** How a channel is, in the language of the terminal as far as it is one of the common states. */
export function describeChannel({ detail, news }: Pick<Readiness, "detail" | "news">, words: Words): string {
  const { channel } = words.start;
  switch (news?.kind) {
    case undefined:
      return detail;
    case "connecting":
      return channel.connecting;
    case "waiting":
      return channel.waiting(news.at);
    case "standby":
      return channel.standby;
    case "serving":
      return channel.serving(news.model);
    case "connected": {
      const { as, at, misses } = news;
      const place = at === undefined ? "" : channel.postedTo(at);
      return `${channel.connected(as)}${place}${misses === undefined ? "" : channel.misses[misses]}`;
    }
  }
}

/** Reports each of these channels once, when it is not starting any more. */
export async function followChannels(
  kurisu: Pick<Kurisu, "readiness">,
  starting: readonly string[],
  tell: (platform: string, state: Readiness) => void,
  signal: AbortSignal,
): Promise<void> {
  const begun = performance.now();
  const left = new Set(starting);
  while (left.size > 0 && performance.now() - begun < maxMs) {
    const soon = performance.now() - begun < soonMs;
    if (!(await sleep(soon ? pollMs[0] : pollMs[1], signal, { ref: false }))) return;
    const states = await kurisu.readiness();
    for (const platform of left) {
      const state = states[platform];
      if (signal.aborted || state === undefined || state.state === "starting") continue;
      left.delete(platform);
      tell(platform, state);
    }
  }
}
