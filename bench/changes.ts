import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import type { Store } from "../src/store/open-store.ts";
import { makeMessage } from "../tests/support/fake-channel.ts";
import { TestGateway } from "../tests/support/gateway.ts";
import { median } from "./statistics.ts";

/** The promise: what the console can follow costs a turn at most this much more. */
const allowed = 1.1;
const turns = 200;
const warmUps = 20;
const rows = 10_000;

/** The cost of the triggers of `changes` on SQLite; two gateways take turns, one without them. */
export async function measureChanges(): Promise<boolean> {
  await using stack = new AsyncDisposableStack();
  const withTriggers = await openGateway(stack);
  const without = await openGateway(stack);
  await dropTriggers(without.store);
  const both = [withTriggers, without] as const;
  const times = both.map((): number[] => []);
  const before = await countChanges(withTriggers.store);
  for (let at = 0; at < warmUps + turns; at += 1)
    for (const [place, kurisu] of both.entries()) {
      const took = await timeTurn(kurisu);
      if (at >= warmUps) times[place]?.push(took);
    }
  const noted = ((await countChanges(withTriggers.store)) - before) / (warmUps + turns);
  const [turn = 0, turnWithout = 0] = times.map(median);
  const rowTimes = both.map((): number[] => []);
  for (let at = 0; at < 7; at += 1)
    for (const [place, { store }] of both.entries()) rowTimes[place]?.push(await timeRows(store));
  const [row = 0, rowWithout = 0] = rowTimes.map(median);
  const ratio = turn / turnWithout;
  console.log(`with triggers, without, ratio
a turn, ms: ${turn.toFixed(2)}, ${turnWithout.toFixed(2)}, ${ratio.toFixed(2)}
a row, µs: ${row.toFixed(1)}, ${rowWithout.toFixed(1)}, ${(row / rowWithout).toFixed(2)}
changes noted in a turn: ${noted.toFixed(1)}, which cost ${(noted * (row - rowWithout)).toFixed(0)} µs`);
  return ratio <= allowed;
}

async function openGateway(stack: AsyncDisposableStack): Promise<TestGateway> {
  const home = mkdtempSync(join(tmpdir(), "kurisu-bench-"));
  stack.defer(() => rmSync(home, { recursive: true, force: true }));
  const kurisu = new TestGateway({ place: { home } });
  kurisu.model.script = () => ({ text: "知道了。" });
  await kurisu.start();
  stack.defer(() => kurisu.dispose());
  return kurisu;
}

async function dropTriggers({ main }: Store): Promise<void> {
  const { rows: found } = await sql<{
    name: string;
  }>`select name from sqlite_schema where type = 'trigger' and name like 'follow%'`.execute(main);
  for (const { name } of found) await sql`drop trigger ${sql.ref(name)}`.execute(main);
}

async function countChanges({ main }: Store): Promise<number> {
  const { count } = await main
    .selectFrom("changes")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

/** Milliseconds from the event to the reply. */
async function timeTurn(kurisu: TestGateway): Promise<number> {
  const arrived = new Promise<number>((resolve) => {
    kurisu.channel.onSend = () => {
      resolve(performance.now());
      return undefined;
    };
  });
  const began = performance.now();
  await kurisu.channel.deliver(makeMessage("今天也辛苦了", { chat: "bench" }));
  const took = (await arrived) - began;
  await kurisu.settle();
  return took;
}

/** Microseconds for a row of a table that is followed. */
async function timeRows({ main }: Store): Promise<number> {
  const began = performance.now();
  await sql`insert into messages (session, branch, position, role, content, taint, created_at)
    with recursive n (i) as (select 1 union all select i + 1 from n where i < ${rows})
    select 'rows', 'main', (select coalesce(max(position), 0) from messages where session = 'rows') + i, 'user', 'words', 'owner', 0
    from n`.execute(main);
  return ((performance.now() - began) * 1000) / rows;
}
