// full: two stores on one Postgres database
import { expect, it } from "vitest";
import { findStanding } from "../../src/store/queries/account-links.ts";
import { postgresIsThere } from "../support/postgres.ts";
import { createStorePlace } from "../support/store-engines.ts";
import { openTestStore } from "../support/test-store.ts";

it.runIf(postgresIsThere())("a role that another process of the database takes away is gone at once", async () => {
  const place = await createStorePlace("postgres");
  const [one, other] = [await openTestStore(place), await openTestStore(place)];
  const write = (role: string) =>
    one.main
      .insertInto("people")
      .values({ id: "qq:1", name: "a", role, created_at: 0 })
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ role }))
      .execute();
  await write("trusted");
  expect(await findStanding(other.main, "qq:1")).toMatchObject({ role: "trusted" });
  await write("member");
  expect(await findStanding(other.main, "qq:1")).toMatchObject({ role: "member" });
});
