/* Memory without any key: said once in a terminal, known in a later conversation, shown and forgotten by the operator. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createKurisuFolder, type KurisuFolder } from "../support/kurisu-process/kurisu-folder.ts";
import { lookIntoStore } from "../support/kurisu-process/look-into-store.ts";
import { runOnce } from "../support/kurisu-process/run-once.ts";
import { spawnKurisu } from "../support/kurisu-process/spawn-kurisu.ts";
import { startKurisu } from "../support/kurisu-process/start-kurisu.ts";

const environment = { KURISU_MODEL: "offline" };
const mark = "冰美式";

/** One chat in a terminal, a message a line; answers all that it wrote. */
async function talk(folder: KurisuFolder, ...lines: readonly string[]): Promise<string> {
  const chat = spawnKurisu(["chat"], { folder, environment, input: `${lines.join("\n")}\n` });
  expect((await chat.ended()).code).toBe(0);
  return chat.stdout();
}

test("the next talk knows what was said in an earlier one, until the operator erases it beside a running Kurisu", async () => {
  const folder = createKurisuFolder();
  const run = async (...given: readonly string[]) => {
    const done = spawnKurisu(["memory", ...given], { folder, environment });
    const { code } = await done.ended();
    return { code, out: done.stdout() };
  };
  const start = await startKurisu({ folder, environment });
  const heard = await talk(
    folder,
    "我对花生过敏",
    `记住我喜欢喝${mark}`,
    "/new",
    "我对什么过敏",
    "你还记得我喜欢什么吗",
  );
  expect(heard).toMatch(/我喜欢喝冰美式[^]*你对花生过敏[^]*你喜欢喝冰美式/);
  const found = await run("recall", "过敏", "--json");
  const { id, ...memory } = JSON.parse(found.out) as { readonly id: number };
  expect(memory).toMatchObject({ person: "cli:owner", where: "private", content: "我对花生过敏", origin: "said" });
  expect((await run("forget", String(id), "--person", "telegram:1")).code).toBe(78);
  expect(await run("forget", String(id))).toEqual({ code: 0, out: "forgotten: 1\n" });
  expect(await talk(folder, "我对什么过敏")).not.toContain("花生");
  expect((await run("export")).out).toContain(`我喜欢喝${mark}`);
  const listed = (await run("list")).out;
  expect(listed).toMatch(/^#\d+ {2}\d{4}-\d\d-\d\d {2}我喜欢喝冰美式/);
  expect(listed.trim().split("\n")).toHaveLength(1);

  // Everything: the talk, what is remembered, and the files of the terminal.
  const forget = async (person: string) => {
    const done = await run("forget", "--all", "--person", person, "--json");
    expect(done.code).toBe(0);
    return JSON.parse(done.out) as Readonly<Record<string, number>>;
  };
  const files = ["history/owner.txt", "history/bob.txt", "folded/a.txt", "received/b.txt", "handed-in/c"];
  for (const file of files) {
    mkdirSync(dirname(join(folder.home, file)), { recursive: true });
    writeFileSync(join(folder.home, file), file.includes("bob") ? "bob's" : mark);
  }
  const left = () => files.filter((file) => existsSync(join(folder.home, file)));
  // Somebody else's: nothing of the owner's goes, whose chat it is.
  expect(await forget("cli:bob")).toEqual({ files: 1 });
  expect(left()).toEqual(files.filter((file) => !file.includes("bob")));
  // What was forgotten before has left a row without words.
  expect(await forget("cli:owner")).toMatchObject({ memories: 2, files: 4 });
  expect(left()).toEqual([]);
  expect(await lookIntoStore(folder, "select id from memories")).toEqual([]);
  expect(await lookIntoStore(folder, "select id from log_messages")).toEqual([]);
  expect(await talk(folder, "我喜欢喝什么")).not.toContain(mark);
  const audit = await lookIntoStore(folder, "select actor from audit where action = 'person.erased'");
  expect(audit).toEqual([{ actor: "cli:owner" }, { actor: "cli:owner" }]);
  expect((await start.stop()).code).toBe(0);
  expect((await run("list")).out).toBe("Nothing is remembered of cli:owner.\n");
});

test("the numbers of her list are those for /forget, and a one-shot approval of an erasure ends with the receipt", async () => {
  const folder = createKurisuFolder();
  const list = "你都记得我些什么";
  const heard = await talk(folder, "记住我住在北京", "记住我叫小林", list, "/forget 1", list);
  expect(heard).toMatch(/#2 你叫小林[^]*#1 你住在北京[^]*忘掉了[^]*#2 你叫小林/);
  expect(heard.slice(heard.indexOf("忘掉了"))).not.toContain("北京");
  expect((await runOnce("忘掉我", { folder, environment })).code).toBe(3);
  const yes = await runOnce("确认", { folder, environment });
  expect(yes.code).toBe(0);
  expect(yes.lines.map((line) => (line.type === "reply" ? line.text : "")).join("\n")).not.toContain("receipt");
  expect(yes.reply).toMatch(/记住的事：\d/);
  expect(JSON.stringify(yes.lines)).not.toContain('"summary":"*"');
  expect(await lookIntoStore(folder, "select id from memories")).toEqual([]);
});
