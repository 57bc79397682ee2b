/* Memory without any key: said once in a terminal, known in a later conversation, shown and forgotten by the operator. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createKurisuFolder } from "../support/kurisu-process/kurisu-folder.ts";
import { lookIntoStore } from "../support/kurisu-process/look-into-store.ts";
import { runOnce } from "../support/kurisu-process/run-once.ts";
import { spawnKurisu } from "../support/kurisu-process/spawn-kurisu.ts";
import { startKurisu } from "../support/kurisu-process/start-kurisu.ts";

test("forgotten beside a Kurisu that runs: the talk, what is remembered, and the files of the terminal", async () => {
  const folder = createKurisuFolder();
  const environment = { KURISU_MODEL: "offline" };
  const mark = "paloma";
  const forget = async (person: string) => {
    const done = spawnKurisu(["memory", "forget", "--all", "--person", person, "--json"], { folder, environment });
    expect((await done.ended()).code).toBe(0);
    return JSON.parse(done.stdout()) as Readonly<Record<string, number>>;
  };
  const start = await startKurisu({ folder, environment });
  await runOnce(`我喜欢喝${mark}`, { folder, environment });
  const files = ["history/owner.txt", "history/bob.txt", "folded/a.txt", "received/b.txt", "handed-in/c"];
  for (const file of files) {
    mkdirSync(dirname(join(folder.home, file)), { recursive: true });
    writeFileSync(join(folder.home, file), file.includes("bob") ? "bob's" : mark);
  }
  const left = () => files.filter((file) => existsSync(join(folder.home, file)));
  // Somebody else's: nothing of the owner's goes, whose chat it is.
  expect(await forget("cli:bob")).toEqual({ files: 1 });
  expect(left()).toEqual(files.filter((file) => !file.includes("bob")));
  expect(await forget("cli:owner")).toMatchObject({ memories: 1, files: 4 });
  expect(left()).toEqual([]);
  expect(await lookIntoStore(folder, "select id from memories")).toEqual([]);
  expect(await lookIntoStore(folder, "select id from log_messages")).toEqual([]);
  expect((await runOnce("我喜欢喝什么", { folder, environment })).reply).not.toContain(mark);
  const audit = await lookIntoStore(folder, "select actor from audit where action = 'person.erased'");
  expect(audit).toEqual([{ actor: "cli:owner" }, { actor: "cli:owner" }]);
  expect((await start.stop()).code).toBe(0);
});

test("said in a talk, answered in the next, and gone once the operator has it forgotten", async () => {
  const folder = createKurisuFolder();
  const environment = { KURISU_MODEL: "offline" };
  const run = async (...given: readonly string[]) => {
    const done = spawnKurisu(["memory", ...given], { folder, environment });
    const { code } = await done.ended();
    return { code, out: done.stdout() };
  };
  const start = await startKurisu({ folder, environment });
  await runOnce("我对花生过敏", { folder, environment });
  expect((await runOnce("记住我喜欢喝冰美式", { folder, environment })).reply).toContain("我喜欢喝冰美式");
  await runOnce("/new", { folder, environment });
  expect((await runOnce("我对什么过敏", { folder, environment })).reply).toContain("你对花生过敏");
  expect((await runOnce("你还记得我喜欢什么吗", { folder, environment })).reply).toContain("你喜欢喝冰美式");
  const found = await run("recall", "过敏", "--json");
  const { id, ...memory } = JSON.parse(found.out) as { readonly id: number };
  expect(memory).toMatchObject({ person: "cli:owner", where: "private", content: "我对花生过敏", origin: "said" });
  expect(await run("list", "--person", "telegram:1")).toEqual({
    code: 0,
    out: "Nothing is remembered of telegram:1.\n",
  });
  expect((await run("forget", String(id), "--person", "telegram:1")).code).toBe(78);
  expect(await run("forget", String(id))).toEqual({ code: 0, out: "forgotten: 1\n" });
  expect((await runOnce("我对什么过敏", { folder, environment })).reply).not.toContain("花生");
  expect((await run("export")).out).toContain("我喜欢喝冰美式");
  expect((await start.stop()).code).toBe(0);
  const left = (await run("list")).out;
  expect(left).toMatch(/^#\d+ {2}\d{4}-\d\d-\d\d {2}我喜欢喝冰美式/);
  expect(left.trim().split("\n")).toHaveLength(1);
  expect((await run("forget", "--all")).out).toMatch(/\d/);
  expect((await run("list")).out).toBe("Nothing is remembered of cli:owner.\n");
});

test("the numbers of her list are those to forget by; a one-shot yes to being forgotten ends with the receipt", async () => {
  const folder = createKurisuFolder();
  const environment = { KURISU_MODEL: "offline" };
  await runOnce("记住我住在北京", { folder, environment });
  await runOnce("记住我叫小林", { folder, environment });
  const { reply } = await runOnce("你都记得我些什么", { folder, environment });
  const home = /#(\d+) 我住在北京/.exec(reply)?.[1];
  await runOnce(`/forget ${home}`, { folder, environment });
  expect((await runOnce("你都记得我些什么", { folder, environment })).reply).toMatch(/^(?!.*北京)[^]*小林/);
  expect((await runOnce("忘掉我", { folder, environment })).code).toBe(3);
  const yes = await runOnce("确认", { folder, environment });
  expect(yes.code).toBe(0);
  expect(yes.lines.map((line) => (line.type === "reply" ? line.text : "")).join("\n")).not.toContain("receipt");
  expect(yes.reply).toMatch(/记住的事：\d/);
  expect(JSON.stringify(yes.lines)).not.toContain('"summary":"*"');
  expect(await lookIntoStore(folder, "select id from memories")).toEqual([]);
});
