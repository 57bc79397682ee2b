// full: a second database, and starts the program
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { BackupRequest } from "../../../src/features/backup/backup.ts";
import { TestGateway } from "../../support/gateway.ts";
import { untilTestEnds } from "../../support/keep-until.ts";
import { createKurisuFolder } from "../../support/kurisu-process/kurisu-folder.ts";
import { runHere } from "../../support/kurisu-process/run-here.ts";
import { createBarePlace, listEngines } from "../../support/store-engines.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

describe.each(listEngines())("a backup while she works, on %s", (engine) => {
  test("what was asked before a backup is answered after the restore, once, and the chat goes on", async () => {
    const before = new TestGateway({ place: await createBarePlace(engine) });
    await before.start();
    mkdirSync(join(before.place.home, "workspaces", "s1"), { recursive: true });
    writeFileSync(join(before.place.home, "workspaces", "s1", "note.txt"), "kept");
    await before.say("poke a");
    expect(await before.questions()).toHaveLength(1);
    const file = join(await createTemporaryFolder(), "kurisu.tar.gz");
    let written = false;
    const backup = before.answer<BackupRequest>({ kind: "backup", file }).finally(() => (written = true));
    let said = 0;
    while (!written) {
      said += 1;
      await before.say(`第 ${said} 句`, { user: "bob", chat: "bob" });
    }
    expect(JSON.parse(await backup)).toMatchObject({ file, engine, files: expect.any(Number) as number });
    expect(said).toBeGreaterThan(0);
    await before.dispose();

    const bare = await createBarePlace(engine);
    const folder = createKurisuFolder();
    const environment = bare.url === undefined ? {} : { DATABASE_URL: bare.url };
    expect(await runHere(["restore", file], { folder, environment })).toMatchObject({ code: 0, error: "" });
    expect(readFileSync(join(folder.home, "workspaces", "s1", "note.txt"), "utf8")).toBe("kept");
    const after = new TestGateway({ place: { ...bare, home: folder.home } });
    untilTestEnds(() => after.dispose());
    await after.start();
    const [question] = await after.questions();
    expect(question).toBeDefined();
    await after.say(`确认 ${question?.code}`);
    expect(after.effects.map(({ tool }) => tool)).toEqual(["poke"]);
    expect(await after.questions()).toEqual([]);
    await after.say("你好");
    expect(after.channel.sent.at(-1)?.message).toMatchObject({ kind: "reply" });
  });
});
