import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { createApiChannel, type ApiChannelOptions } from "../../../src/channels/api/api-channel.ts";
import type { Channel, ChatAddress, InboundEvent, InboundMessage } from "../../../src/channels/types.ts";
import { createAcceptEvents } from "../../../src/kernel/inbox/accept-events.ts";
import { createHttpServer } from "../../../src/kernel/http/http-server.ts";
import type { Store } from "../../../src/store/open-store.ts";
import { openStore } from "../open-store.ts";
import { createGuardedFetch } from "../../../src/web/guarded-fetch.ts";
import { HandClock } from "../hand-clock.ts";

export const testToken = "a-token-of-the-tests";

export interface RunningApiChannel extends AsyncDisposable {
  readonly channel: Channel;
  readonly store: Store;
  readonly clock: HandClock;
  readonly home: string;
  readonly url: string;
  /** Everything that was handed in. */
  readonly events: InboundEvent[];
  messages(): readonly InboundMessage[];
  readonly woken: ChatAddress[];
  /** A request with the token, unless other headers say otherwise. */
  post(body: unknown, headers?: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<Response>;
}

/** The channel on a store and an HTTP server of its own, started. Nobody answers but the test. */
export async function startApiChannel(
  options: Partial<Omit<ApiChannelOptions, "answerWithin">> & {
    readonly answerWithin?: number;
    /** Called before an event counts as stored. */
    readonly beforeStoring?: () => void;
  } = {},
): Promise<RunningApiChannel> {
  const { answerWithin = 20_000, beforeStoring, ...rest } = options;
  const log = pino({ level: "silent" });
  const home = mkdtempSync(join(tmpdir(), "kurisu-api-"));
  const store = await openStore({ home });
  const http = createHttpServer({ host: "127.0.0.1", port: 0, log });
  const clock = new HandClock();
  const channel = createApiChannel({
    token: testToken,
    model: "kurisu",
    home,
    answerWithin: () => answerWithin,
    http,
    store,
    isPreviewRunning: () => false,
    fetchPublic: createGuardedFetch(),
    clock,
    log,
    pace: { quickLooks: 10, quickMs: 5, lookMs: 50, aliveMs: 20 },
    ...rest,
  });
  const { port } = await http.start();
  const accept = createAcceptEvents({ store, language: () => "zh", clock, log });
  const events: InboundEvent[] = [];
  const woken: ChatAddress[] = [];
  await channel.start(
    async (batch) => {
      beforeStoring?.();
      await accept(batch);
      events.push(...batch);
    },
    (address) => void woken.push(address),
  );
  const url = `http://127.0.0.1:${port}`;
  return {
    channel,
    store,
    clock,
    home,
    url,
    events,
    messages: () => events.flatMap((event) => (event.kind === "message" ? [event] : [])),
    woken,
    post: (body, headers = {}, signal) =>
      fetch(`${url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${testToken}`, "content-type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
        ...(signal && { signal }),
      }),
    async [Symbol.asyncDispose]() {
      await channel.stop();
      await http.stop();
      await store.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** What the words of a stream are, piece by piece; an event that has not come whole is left out. */
export function readContents(events: string): readonly string[] {
  const whole = events.slice(0, events.lastIndexOf("\n\n") + 1);
  return whole.split("\n\n").flatMap((event) => {
    if (!event.startsWith("data: {")) return [];
    const { choices } = JSON.parse(event.slice("data: ".length)) as {
      readonly choices?: readonly { readonly delta: { readonly content?: string } }[];
    };
    const content = choices?.[0]?.delta.content ?? "";
    return content === "" ? [] : [content];
  });
}
