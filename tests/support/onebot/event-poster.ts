import { createHmac } from "node:crypto";
import type { FakeOneBotSettings, FakeParams } from "./onebot-types.ts";

export interface EventPoster {
  push(event: FakeParams): void;
  /** What is on its way comes to its end. */
  end(): Promise<void>;
}

/** Posts events over HTTP as NapCat does: one after the other, signed with the token, none a second time. `down` = nothing goes out. */
export function startEventPoster(
  url: string,
  parts: {
    readonly settings: FakeOneBotSettings;
    readonly down: () => boolean;
    readonly violations: string[];
  },
): EventPoster {
  const { settings, violations } = parts;
  let last = Promise.resolve();

  async function post(event: FakeParams): Promise<void> {
    if (parts.down()) return;
    const body = JSON.stringify(event);
    const signature = `sha1=${createHmac("sha1", settings.token).update(body).digest("hex")}`;
    const headers = {
      "Content-Type": "application/json",
      "X-Self-ID": String(settings.selfId),
      "X-Signature": signature,
      "User-Agent": "OneBot/11",
    };
    const signal = AbortSignal.timeout(20_000);
    const response = await fetch(url, { method: "POST", body, headers, signal }).catch(() => undefined);
    const answer = await response?.text().catch(() => "");
    // A body would be a quick operation, which acts.
    if (answer !== undefined && answer !== "") violations.push(`an answer to an event: ${answer}`);
  }

  return {
    push(event) {
      last = last.then(() => post(event));
    },
    end: () => last,
  };
}
