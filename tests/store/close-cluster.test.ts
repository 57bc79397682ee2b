// full: ends connections of a Postgres database
import { sql } from "kysely";
import { expect, it } from "vitest";
import { openCluster } from "../../src/store/engines/open-cluster.ts";
import { untilTestEnds } from "../support/keep-until.ts";
import { postgresIsThere } from "../support/postgres.ts";
import { createStorePlace } from "../support/store-engines.ts";
import { openTestStore } from "../support/test-store.ts";
import { waitUntil } from "../support/wait-until.ts";

it.runIf(postgresIsThere())("a connection that ends is a fault, but none while the cluster closes", async () => {
  const place = await createStorePlace("postgres");
  const { main } = await openTestStore(place);
  const faults: unknown[] = [];
  const cluster = await openCluster({
    url: place.url ?? "",
    db: main,
    node: "one",
    role: "all",
    isAlone: false,
    onTrouble: (fault) => faults.push(fault),
  });
  let isEnded = false;
  untilTestEnds(async () => {
    if (!isEnded) await cluster.close();
  });
  const end = () =>
    sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name in ('kurisu claims', 'kurisu signals')
      and datname = current_database()`.execute(main);
  await end();
  await waitUntil("a fault", () => faults.length > 0);
  await waitUntil("both connections again", async () => {
    const { rows } = await sql<{ name: string }>`select distinct application_name as name from pg_stat_activity
      where application_name in ('kurisu claims', 'kurisu signals') and datname = current_database()`.execute(main);
    return rows.length === 2;
  });
  faults.length = 0;
  const closed = cluster.close();
  await end();
  await closed;
  isEnded = true;
  expect(faults).toEqual([]);
});
