import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Hono } from "hono";
import { systemClock } from "../src/core/clock.ts";
import { listChatsRoutes } from "../src/console/routes/chats-routes.ts";
import { listTurnRoutes } from "../src/console/routes/turn-routes.ts";
import { listSearchRoutes } from "../src/console/routes/search-routes.ts";
import { listTodayRoutes } from "../src/console/routes/today-routes.ts";
import type { ConsoleContext } from "../src/console/door/guard.ts";
import { addLogChat, appendToLog } from "../src/features/chatlog/queries/append-to-log.ts";
import { budgetOptions } from "../src/models/budget-options.ts";
import { appendAudit } from "../src/store/queries/audit.ts";
import { insertTurn } from "../src/store/queries/turns.ts";
import type { Store } from "../src/store/open-store.ts";
import { saveDecisions } from "../src/store/queries/decisions.ts";
import { addTurn } from "../tests/support/console/add-turn.ts";
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

/** A read of a page. `isPromised` = it costs the same, however much is stored. */
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
  { name: "today", path: "/today", isPromised: true },
  { name: "a turn", path: "/turns/turn_long", isPromised: true },
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
  await addTurn(store, {
    id: "turn_long",
    session,
    at: 0,
    endsAt: 9,
    requests: [{ ms: 5, input: 9 }],
    calls: [1, 2, 3].map((at) => ({ call: `1.${at}`, tool: "time", verdict: "allow", end: { at: 9, ms: 1 } })),
  });
  for (let from = 0; from < length; from += rowsAtOnce)
    await saveDecisions(
      store.main,
      `turn_${from}`,
      Array.from({ length: rowsAtOnce }, (_, at) => ({
        call: `1.${at}`,
        tool: "time",
        hash: "",
        verdict: "allow",
        reason: "",
        policy: "",
        grant: null,
      })),
      0,
    );
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
  await seedDays(store, length);
  const app = new Hono();
  const parts = {
    store,
    findTool: () => undefined,
    clock: systemClock,
    language: () => "zh" as const,
    zone: () => "UTC",
  };
  const login = {
    id: "",
    person: "console:owner",
    account: "console:owner",
    role: "owner",
    browser: "",
    createdAt: 0,
    seenAt: 0,
  } as const;
  const today = listTodayRoutes({
    ...parts,
    strangers: [],
    readiness: async () => ({}),
    budget: () => budgetOptions.parse(undefined),
    servers: () => [],
    waitingKeys: () => [],
    refusedFiles: () => [],
    isOffline: () => false,
    ownerCode: async () => undefined,
  });
  const own = [...listChatsRoutes(parts), ...listTurnRoutes(parts), ...listSearchRoutes(parts)];
  for (const route of [...own, ...today])
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

const dayMs = 86_400_000;
const turnsOfToday = 100;

/** A turn with a tool for every ten messages, of which today had as many in each store. */
async function seedDays({ main }: Store, length: number): Promise<void> {
  const now = systemClock.now();
  await main.transaction().execute(async (tx) => {
    for (let at = 0; at < length / 10; at += 1) {
      const when = at < turnsOfToday ? now - at : now - 2 * dayMs - at;
      const turn = `turn_${at}`;
      await insertTurn(tx, {
        id: turn,
        session,
        inbox: `inbox_${at}`,
        input: "{}",
        policy: "",
        owner: "",
        now: when,
      });
      await appendAudit(tx, { actor: "fake:owner", action: "tool.done", session, turn, now: when });
    }
    await tx.updateTable("turns").set({ state: "ended", outcome: "replied" }).execute();
  });
}
