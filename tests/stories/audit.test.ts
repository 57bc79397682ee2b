import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { createKurisuFolder, type KurisuFolder } from "../support/kurisu-process/kurisu-folder.ts";
import { runOnce } from "../support/kurisu-process/run-once.ts";
import { startScriptedModel } from "../support/kurisu-process/scripted-model.ts";
import { spawnKurisu } from "../support/kurisu-process/spawn-kurisu.ts";
import { startKurisu } from "../support/kurisu-process/start-kurisu.ts";
import { createStorePlace, listUsualEngines } from "../support/store-engines.ts";

async function audit(folder: KurisuFolder, environment: Readonly<Record<string, string>>, ...given: string[]) {
  const child = spawnKurisu(["audit", ...given], { folder, environment });
  const { code } = await child.ended();
  return { code, stdout: child.stdout(), stderr: child.stderr() };
}

describe.each(listUsualEngines())("kurisu audit on %s", (engine) => {
  test("kurisu audit verifies beside a running gateway, shows turns and rows, keeps the head in two files, and finds a cut-off end", async () => {
    const folder = createKurisuFolder();
    const { url } = await createStorePlace(engine);
    const second = join(folder.home, "..", "elsewhere", "anchor");
    folder.configure("system/tools.yaml", `audit: { anchor: ${second} }\n`);
    const { environment: scripted } = await startScriptedModel();
    const environment = { ...scripted, ...(url !== undefined && { DATABASE_URL: url }) };
    const kurisu = await startKurisu({ folder, environment });
    const { lines } = await runOnce("现在几点", { folder, environment });
    const reply = lines.findLast((line) => line.type === "reply");
    const turn = reply?.turn ?? "";

    const intact = await audit(folder, environment, "verify", "--json");
    expect([intact.code, JSON.parse(intact.stdout)]).toMatchObject([0, { kind: "intact", rows: 1 }]);
    const shown = await audit(folder, environment, "show", turn);
    expect(shown.stdout).toMatch(new RegExp(`^${turn}: a turn of cli:owner in cli:.*replied`, "m"));
    expect(shown.stdout).toContain("tool.done");
    const row = await audit(folder, environment, "show", `${turn}/1.1`, "--json");
    const { seq, hash } = JSON.parse(row.stdout) as { readonly seq: number; readonly hash: string };
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect((await audit(folder, environment, "show", String(seq), "--json")).stdout).toBe(row.stdout);

    expect((await kurisu.stop()).code).toBe(0);
    for (const file of [join(folder.home, "audit-anchor"), second]) {
      const anchor = readFileSync(file, "utf8").trim().split("\n").at(-1) ?? "";
      expect({ file, ...(JSON.parse(anchor) as object) }).toMatchObject({ file, position: 1, seq, hash });
    }
    if (engine === "postgres") return;

    renameSync(second, `${second}.away`);
    const lacking = await audit(folder, environment, "verify", "--json");
    expect([lacking.code, JSON.parse(lacking.stdout)]).toMatchObject([1, { kind: "intact", missing: second }]);
    expect(lacking.stderr).toContain(`the anchor file ${second} (audit.anchor of tools.yaml) is gone`);
    renameSync(`${second}.away`, second);

    const database = new DatabaseSync(join(folder.home, "kurisu.db"));
    expect(() => database.exec("delete from audit")).toThrow("the audit only grows");
    database.exec("drop trigger audit_no_delete; drop trigger audit_chain_no_delete");
    database.exec("delete from audit; delete from audit_chain; delete from sqlite_sequence where name = 'audit'");
    database.close();
    const cut = await audit(folder, environment, "verify");
    expect(cut.code).toBe(1);
    expect(cut.stdout).toMatch(/^broken \(cut\): the end is cut off/);
  });
});
