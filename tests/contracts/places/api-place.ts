import { readContents, startApiChannel } from "../../support/api/start-api-channel.ts";
import { waitUntil } from "../../support/wait-until.ts";
import type { Delivery } from "../../../src/channels/types.ts";
import type { Place } from "./place.ts";

/** Somebody keeps a streamed request open, and sees there what is said in the conversation. */
export async function openApi(): Promise<Place> {
  const running = await startApiChannel();
  const { channel } = running;
  const address = { platform: "api", account: "local", chat: "okabe", thread: null };
  const leaving = new AbortController();
  const ids: string[] = [];
  let told = "";

  /** Stored it is when the answer begins; its end never comes here. */
  async function say(text: string): Promise<Response> {
    const message = { role: "user", content: text };
    const body = { model: "kurisu", messages: [message], user: address.chat, stream: true };
    return running.post(body, { "Idempotency-Key": crypto.randomUUID() }, leaving.signal);
  }

  async function follow({ body }: Response): Promise<void> {
    const decoder = new TextDecoder();
    for await (const piece of body ?? []) told += decoder.decode(piece, { stream: true });
  }

  const contents = (): readonly string[] => readContents(told).map((text) => text.replace(/^\n\n/, ""));

  /** Over the network it is seen a moment after it was sent. */
  async function untilSeen(sending: Promise<Delivery>): Promise<Delivery> {
    const delivery = await sending;
    if (delivery.kind !== "sent") return delivery;
    ids.push(delivery.messageId);
    await waitUntil("the words to arrive", () => contents().length === ids.length);
    return delivery;
  }

  const listening = await say("（听着）");
  // The end of a test cuts it.
  follow(listening).catch(() => undefined);
  running.events.length = 0;

  return {
    channel: {
      ...channel,
      send: (...sent) => untilSeen(channel.send(...sent)),
      sendFile: (...sent) => untilSeen(channel.sendFile(...sent)),
    },
    address,
    events: () => running.events,
    async hear(text) {
      await say(text);
      return running.messages().at(-1)?.messageId ?? "";
    },
    shows: renderWords,
    seen: () => contents().map((text, index) => ({ id: ids[index] ?? "", text: renderWords(text), rings: false })),
    seenFiles: () =>
      contents().flatMap((text) => {
        const [, caption = "", name = "", data] =
          /^(?:([\s\S]*)\n\n)?!?\[((?:\\.|[^\]])*)\]\(data:[^;]*;base64,([^)]*)\)$/.exec(text) ?? [];
        if (data === undefined) return [];
        return [
          {
            name: name.replaceAll(/\\(.)/g, "$1"),
            content: Buffer.from(data, "base64"),
            caption: renderWords(caption),
          },
        ];
      }),
    connections: () => 0,
    async close() {
      leaving.abort();
      await running[Symbol.asyncDispose]();
    },
  };
}

/** The words of Markdown as a client shows them: without the signs that keep others from being one. */
function renderWords(markdown: string): string {
  return markdown
    .replaceAll(/ {2}\n/g, "\n")
    .replaceAll(/\\([!-/:-@[-`{-~])/g, "$1")
    .replaceAll("&lt;", "<")
    .replaceAll("&amp;", "&");
}
