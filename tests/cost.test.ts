import { sql } from "kysely";
import { it } from "vitest";
import { appendAudit } from "../src/store/queries/audit.ts";
import { engines } from "./support/store-engines.ts";
import { createTestStore } from "./support/test-store.ts";
it.each(engines)("cost %s", async (engine) => {
  const store = await createTestStore(engine);
  const run = async (n: number) => {
    const times: number[] = [];
    for (let i = 0; i < n; i += 1) {
      const t = performance.now();
      await store.main.transaction().execute((tx) => appendAudit(tx, { actor: "a", action: "b", now: i, detail: { x: "y".repeat(380) } }));
      times.push(performance.now() - t);
    }
    times.sort((a, b) => a - b);
    return times[n >> 1];
  };
  await run(200);
  const on = await run(1000);
  if (engine === "sqlite") await sql`drop trigger audit_link`.execute(store.main); else await sql`alter table audit disable trigger user`.execute(store.main);
  const off = await run(1000);
  console.log(engine, { on, off });
}, 120000);
