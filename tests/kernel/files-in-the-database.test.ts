// full: needs PostgreSQL
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { listLedger } from "../../src/store/queries/ledger.ts";
import { listSessionFiles } from "../../src/store/queries/session-files.ts";
import { hashContent } from "../../src/workspace/hash-content.ts";
import { TestGateway } from "../support/gateway.ts";
import { postgresIsThere } from "../support/postgres.ts";
import { createStorePlace } from "../support/store-engines.ts";

const session = "fake:bot:owner";

it.skipIf(!postgresIsThere())(
  "a written file is in the database when its call is done, and reading it saves nothing",
  async () => {
    const kurisu = new TestGateway({ place: await createStorePlace("postgres"), builtin: ["file_write", "file_read"] });
    onTestFinished(() => kurisu.dispose());
    await kurisu.start();
    const order = (name: string, more: object) => {
      kurisu.model.script = ({ results }) =>
        results.length === 0 ? { calls: [{ name, arguments: { path: "notes/a.txt", ...more } }] } : { text: "好。" };
    };
    order("file_write", { content: "kept\n" });
    await kurisu.say("写");
    await kurisu.say("确认");
    const [turn] = await kurisu.store.main.selectFrom("turns").select("id").execute();
    expect((await listLedger(kurisu.store.main, turn?.id ?? "")).map(({ state }) => state)).toEqual(["done"]);
    const saved = [expect.objectContaining({ path: "notes/a.txt", sha256: hashContent(Buffer.from("kept\n")) })];
    expect(await listSessionFiles(kurisu.store.main, session)).toEqual(saved);
    order("file_read", {});
    await kurisu.say("读");
    const versions = await kurisu.store.main.selectFrom("session_snapshots").select("version").execute();
    expect(versions).toEqual([{ version: 1 }]);
    expect(readdirSync(kurisu.place.home)).toContain("workspaces.place");
    expect(readdirSync(join(kurisu.place.home, "workspaces"))).toHaveLength(1);
  },
);
