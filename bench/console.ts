import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Hono } from "hono";
import { systemClock } from "../src/core/clock.ts";
import { listChatsRoutes } from "../src/console/routes/chats-routes.ts";
import { listSearchRoutes } from "../src/console/routes/search-routes.ts";
import type { ConsoleContext } from "../src/console/door/guard.ts";
import { addLogChat, appendToLog } from "../src/features/chatlog/queries/append-to-log.ts";
import { openStore } from "../tests/support/open-store.ts";
import { seedHistory } from "./seed-history.ts";
import { median } from "./statistics.ts";

const sizes = [1_000, 100_000] as const;
const session = "fake:bot:long";
const others = 200;
const samples = 200;
const batches = 3;
const maxRatio = 1.5;
const rowsAtOnce = 1_000;

/** What a page reads. `isPromised` = it costs the same, however much is stored. */
interface Read {
  readonly name: string;
  readonly path: string;
  readonly isPromised: boolean;
}

const listReads = (length: number): readonly Read[] => [
  { name: "conversations", path: "/sessions", isPromised: true },
  { name: "a conversation", path: `/sessions/${session}`, isPromised: true },
  { name: "newest messages", path: `/sessions/${session}/messages`, isPromised: true },
  { name: "messages in the middle", path: `/sessions/${session}/messages?around=${length / 2}`, isPromised: true },
  { name: "search", path: "/search?q=deadline", isPromised: false },
];

/** The reads of the console's pages with few and with many messages stored, without the network and the door. */
export async function measureConsole(): Promise<boolean> {
  const opened = await Promise.all(sizes.map(open));
  try {
    let isKept = true;
    console.log(["read".padEnd(24), ...sizes.map((size) => `${size} messages`.padStart(18)), "ratio"].join("  "));
    for (const [index, { isPromised, name }] of listReads(sizes[0]).entries()) {
      let best = Number.POSITIVE_INFINITY;
      let shown: readonly number[] = [];
      // On a noisy machine the best of some batches counts.
      for (let batch = 0; batch < batches && best > maxRatio; batch += 1) {
        const times = await sample(opened, index);
        const ratio = (times[1] ?? 0) / (times[0] ?? 1);
        if (ratio < best) [best, shown] = [ratio, times];
      }
      console.log(
        [name.padEnd(24), ...shown.map((ms) => `${ms.toFixed(3)} ms`.padStart(18)), best.toFixed(2)].join("  "),
      );
      if (isPromised) isKept &&= best <= maxRatio;
    }
    console.log(`${isKept ? "kept" : "BROKEN"}: all but the search at most ${maxRatio} times as long`);
    return isKept;
  } finally {
    for (const { close } of opened) await close();
  }
}

type Opened = Awaited<ReturnType<typeof open>>;

/** The medians, with the two stores taking turns. */
async function sample(opened: readonly Opened[], index: number): Promise<readonly number[]> {
  const times = opened.map((): number[] => []);
  for (let at = 0; at < samples; at += 1)
    for (const [which, { length, read }] of opened.entries()) {
      const start = performance.now();
      await read(listReads(length)[index]?.path ?? "");
      times[which]?.push(performance.now() - start);
    }
  return times.map(median);
}

async function open(length: number) {
  const home = mkdtempSync(join(tmpdir(), "kurisu-console-"));
  const store = await openStore({ home });
  for (let at = 0; at < others; at += 1) await seedHistory(store, `other${at}`, 2);
  await seedHistory(store, "long", length);
  const chat = await addLogChat(store.main, { name: "long", kind: "import", readers: [], now: 0 });
  for (let from = 0; from < length; from += rowsAtOnce)
    await appendToLog(
      store.main,
      Array.from({ length: rowsAtOnce }, (_, at) => ({
        chat,
        sender: { person: "fake:owner", name: "owner" },
        role: "person" as const,
        text: `message ${from + at} ${at % 100 === 0 ? "the deadline" : "and other words"}`,
        taint: "user" as const,
        key: String(from + at),
        saidAt: (from + at) * 1_000,
      })),
    );
  const app = new Hono();
  const parts = { store, clock: systemClock, language: () => "zh" as const, zone: () => "UTC" };
  const login = { id: "", person: "console:owner", role: "owner", browser: "", createdAt: 0, seenAt: 0 } as const;
  for (const route of [...listChatsRoutes(parts), ...listSearchRoutes(parts)])
    app.on(route.method, route.path, (context) => route.answer(context as unknown as ConsoleContext, login));
  return {
    length,
    async read(path: string) {
      const response = await app.request(path);
      if (!response.ok) throw new Error(`${path} answers ${response.status}`);
      await response.text();
    },
    async close() {
      await store.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
