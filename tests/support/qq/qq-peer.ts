import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { FakeQqBot } from "./fake-qq-bot.ts";
import type { FakeChatName } from "./qq-types.ts";
import { onlyPart, outbound, startQqChannel } from "./start-qq-channel.ts";

const folder = join(import.meta.dirname, "..", "..", "koishi-peer");

interface HeardThere {
  readonly chat: FakeChatName;
  readonly from: string;
  readonly messageId: string;
  readonly text: string;
}

/** A program that is an official QQ bot. */
interface QqPeer extends AsyncDisposable {
  readonly heard: () => readonly HeardThere[];
  /** Answers what it heard last. */
  reply(text: string): Promise<void>;
}

export type StartQqPeer = (fake: FakeQqBot, side: "gateway" | "webhook") => Promise<QqPeer>;

/** What tests/koishi-peer/talk-qq.mjs prints. */
type Line =
  | { readonly ready: number }
  | { readonly sent: readonly string[] }
  | { readonly failed: string }
  | { readonly heard: HeardThere };

/** Whether Koishi's adapter is installed beside Koishi. */
export function qqAdapterIsThere(): boolean {
  return existsSync(join(folder, "node_modules", "@satorijs", "adapter-qq"));
}

/** Koishi as a process of its own. */
export const startKoishiBot: StartQqPeer = async (fake, side) => {
  const { appId, secret } = fake.settings;
  const given = JSON.stringify({ side, appId, secret, endpoint: fake.url, tokenUrl: fake.tokenUrl });
  const child = spawn(process.execPath, [join(folder, "talk-qq.mjs"), given], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "" },
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const heard: HeardThere[] = [];
  let port: number | undefined;
  let answers = 0;
  createInterface({ input: child.stdout }).on("line", (text) => {
    const line = JSON.parse(text) as Line;
    if ("ready" in line) port = line.ready;
    else if ("heard" in line) heard.push(line.heard);
    else answers += 1;
    if ("failed" in line) errors += line.failed;
  });
  const waitFor = (predicate: () => boolean, what: string) =>
    fake.waitFor(() => predicate() || child.exitCode !== null, `${what}\n${errors}`);

  await waitFor(() => port !== undefined, "Koishi");
  if (side === "webhook") await fake.callWebhook(`http://127.0.0.1:${port}/qq`);
  else await waitFor(() => fake.gateway.beginnings.includes("identify"), "Koishi at the gateway");
  return {
    heard: () => heard,
    async reply(text) {
      const before = answers;
      child.stdin.write(`${JSON.stringify({ reply: text })}\n`);
      await waitFor(() => answers > before, "a reply of Koishi");
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
};

export const startOurBot: StartQqPeer = async (fake, side) => {
  const running = await startQqChannel(fake, side);
  await fake.waitFor(() => running.channel.health().state === "ready", "the channel");
  const heard = () =>
    running
      .messages()
      .map(({ address, sender, messageId, text }) => ({ chat: address.chat, from: sender.id, messageId, text }));
  return {
    heard,
    async reply(text) {
      const chat = heard().at(-1)?.chat ?? "";
      await running.channel.send(outbound(fake, chat, text, { plain: true }), onlyPart(text));
    },
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
};
