import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { FakeOneBot } from "./fake-onebot.ts";
import type { HeardMessage, OneBotPeer, PeerSide } from "./onebot-peer.ts";
import type { FakeQqChat } from "./onebot-types.ts";
import { tellLeftOut } from "../left-out.ts";

const folder = join(import.meta.dirname, "..", "..", "koishi-peer");

/** For `describe.runIf(koishiIsThere())`. `npm ci` in tests/koishi-peer puts it there; in CI its absence is a failure. */
export function koishiIsThere(): boolean {
  if (existsSync(join(folder, "node_modules", "koishi"))) return true;
  const remedy = "run `npm ci --ignore-scripts` in tests/koishi-peer";
  if (process.env.KURISU_REQUIRE_KOISHI === "1") throw new Error(`Koishi is not there: ${remedy}`);
  tellLeftOut("the comparison with Koishi", remedy);
  return false;
}

/** What tests/koishi-peer/talk.mjs prints. */
type Line =
  | { readonly ready: number }
  | { readonly sent: readonly string[] }
  | { readonly failed: string }
  | { readonly heard: KoishiMessage };

interface KoishiMessage {
  readonly chat: FakeQqChat;
  readonly from: string;
  readonly messageId: string;
  readonly text: string;
  readonly addressed: boolean;
  readonly quote?: string;
}

/** Koishi as a process of its own, connected to the fake account. */
export async function startKoishi(fake: FakeOneBot, side: PeerSide): Promise<OneBotPeer> {
  const account = { selfId: String(fake.selfId), token: fake.token };
  const transport = side === "forward" ? { protocol: "ws", endpoint: fake.url } : { protocol: "ws-reverse" };
  const child = spawn(process.execPath, [join(folder, "talk.mjs"), JSON.stringify({ ...account, ...transport })], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "" },
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const heard: HeardMessage[] = [];
  const answers: ({ readonly sent: string } | { readonly failed: string })[] = [];
  let port: number | undefined;

  createInterface({ input: child.stdout }).on("line", (text) => {
    const line = JSON.parse(text) as Line;
    if ("ready" in line) port = line.ready;
    else if ("sent" in line) answers.push({ sent: line.sent.join() });
    else if ("failed" in line) answers.push(line);
    else heard.push(readHeard(line.heard));
  });

  async function waitFor(predicate: () => boolean, what: string): Promise<void> {
    const isOver = () => child.exitCode !== null;
    await fake.waitFor(() => predicate() || isOver(), `${what}\n${errors}`);
    if (!predicate()) throw new Error(`Koishi ended before ${what}\n${errors}`);
  }

  await waitFor(() => port !== undefined, "it was ready");
  if (side === "reverse") fake.connectTo(`ws://127.0.0.1:${port}/onebot`);
  await waitFor(() => fake.callsOf("get_login_info").some(({ retcode }) => retcode === 0), "it asked who it is");

  return {
    heard: () => heard,
    async say(words) {
      const before = answers.length;
      child.stdin.write(`${JSON.stringify({ say: words })}\n`);
      await waitFor(() => answers.length > before, "it spoke");
      return answers[before] ?? { failed: "no answer" };
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

function readHeard({ chat, from, messageId, text, addressed, quote }: KoishiMessage): HeardMessage {
  return { chat, from, messageId, text: text.trim(), mentionsUs: addressed, quotes: quote };
}
