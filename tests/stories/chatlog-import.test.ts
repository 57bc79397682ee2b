/*
 * Chats of other programs come into the log: beside a Kurisu that runs and answers meanwhile, and without one; killed in the middle and
 * run again, nothing is missing and nothing is there twice.
 */
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createKurisuFolder, type KurisuFolder } from "../support/kurisu-process/kurisu-folder.ts";
import { lookIntoStore } from "../support/kurisu-process/look-into-store.ts";
import { qqOwner, startOneBotStory } from "../support/kurisu-process/onebot-story.ts";
import { runOnce } from "../support/kurisu-process/run-once.ts";
import { runHere, runOnceHere } from "../support/kurisu-process/run-here.ts";
import { spawnKurisu } from "../support/kurisu-process/spawn-kurisu.ts";
import { startKurisu } from "../support/kurisu-process/start-kurisu.ts";

const environment = { KURISU_MODEL: "offline" };
const lines = 6_000;

/** Telegram's, a message a second; `from` lets two exports overlap. */
function writeTelegram(file: string, from: number, to: number): void {
  writeFileSync(file, '{"name":"大群","type":"private_supergroup","id":9,"messages":[\n');
  for (let n = from; n < to; n += 1) {
    const message = {
      id: n,
      type: "message",
      date_unixtime: String(1_714_536_000 + n),
      from: `人${n % 7}`,
      from_id: `user${n % 7}1`,
    };
    appendFileSync(file, `${JSON.stringify({ ...message, text: `搬家的第${n}件事` })}${n === to - 1 ? "" : ","}\n`);
  }
  appendFileSync(file, "]}\n");
}

/** By the command as main.ts runs it; what is killed, and what runs beside other things, is the real program. */
const importInto = (folder: KurisuFolder, ...given: readonly string[]) =>
  runHere(["chatlog", "import", ...given], { folder, environment });

const countRows = async (folder: KurisuFolder): Promise<number> =>
  Number((await lookIntoStore(folder, "select count(*) as count from log_messages"))[0]?.["count"] ?? 0);

test("killed in the middle and run again, it has everything once; overlapping exports add what is new", async () => {
  const folder = createKurisuFolder();
  const file = join(folder.config, "result.json");
  writeTelegram(file, 0, lines);
  const first = spawnKurisu(["chatlog", "import", file], { folder, environment });
  await expect.poll(() => countRows(folder), { interval: 5 }).toBeGreaterThan(0);
  first.kill("SIGKILL");
  await first.ended();
  const kept = await countRows(folder);
  expect(kept).toBeLessThan(lines);

  const again = JSON.parse((await importInto(folder, file, "--json")).out);
  expect(again).toMatchObject({ format: "telegram", read: lines, new: lines - kept, duplicates: kept, faulty: 0 });
  const later = join(folder.config, "later.json");
  writeTelegram(later, lines - 100, lines + 50);
  expect((await importInto(folder, later)).out).toBe(
    `${later} (telegram): 150 read, 50 new, 100 duplicates\n  into the chat "大群", for owners in private\n`,
  );
  expect(await countRows(folder)).toBe(lines + 50);
  const [chat] = await lookIntoStore(folder, "select name, kind from log_chats");
  expect(chat).toEqual({ name: "大群", kind: "import" });
  expect(await lookIntoStore(folder, "select person from log_readers")).toEqual([{ person: "owners" }]);
  const search = await runHere(["chatlog", "search", "第42件事", "--json"], { folder, environment });
  expect(search.code).toBe(0);
  expect(search.out.trim().split("\n")).toEqual([expect.stringContaining("搬家的第42件事")]);
});

test("an import beside a running Kurisu leaves her answering, and reports unreadable lines", async () => {
  const folder = createKurisuFolder();
  const file = join(folder.config, "家.jsonl");
  const start = await startKurisu({ folder, environment });
  expect((await runOnceHere("你好", { folder, environment })).reply).not.toBe("");
  const said = Array.from({ length: lines }, (_, n) =>
    JSON.stringify({ at: 1_714_536_000 + n, sender: n % 2 === 0 ? "小安" : "小波", text: `第${n}句` }),
  );
  writeFileSync(file, [...said.slice(0, 10), "坏了", ...said.slice(10)].join("\n"));
  const importing = spawnKurisu(["chatlog", "import", file, "--for", "telegram:5", "--me", "小安"], {
    folder,
    environment,
  });
  expect((await runOnce("现在几点", { folder, environment })).reply).toMatch(/\d:\d\d/);
  expect((await importing.ended()).code).toBe(0);
  expect(importing.stdout()).toBe(
    `${file} (jsonl): 6,000 read, 6,000 new, 1 faulty\n  into the chat "家", for telegram:5 in private\n  line 11: it is no JSON object\n`,
  );
  // Nothing for a terminal goes into a pipe.
  expect(importing.stderr()).toBe("");
  const mine =
    "select count(*) as count from log_messages m join log_senders s on s.id = m.sender where s.person = 'telegram:5'";
  expect(await lookIntoStore(folder, mine)).toEqual([{ count: 3_000 }]);

  // Into the chat she is in: for its people, and only what was said there.
  const session = "cli:local:main";
  const into = await importInto(folder, file, "--chat", session, "--json");
  expect(JSON.parse(into.out)).toMatchObject({ new: lines, faulty: 1, faultyLines: [{ line: 11 }] });
  const two = join(folder.config, "two.txt");
  writeFileSync(two, "消息对象:甲\n\n2024-05-01 12:00:00 甲\n在吗\n\n消息对象:乙\n\n2024-05-01 12:00:00 乙\n在吗\n");
  expect((await importInto(folder, two, "--chat", session)).error).toContain("holds 2 chats");
  expect((await importInto(folder, file, "--chat", "cli:local:nowhere")).error).toContain("She is in no chat");
  const unknown = join(folder.config, "unknown.txt");
  writeFileSync(unknown, "hello\n");
  const refused = await importInto(folder, unknown);
  expect(refused).toMatchObject({
    code: 78,
    error: expect.stringContaining("--format telegram|qq-text|qq-json|wechat|onebot|jsonl"),
  });
  // One that is no export does not keep the others out, and a file that breaks off is no success.
  const cut = join(folder.config, "cut.json");
  const message = { id: 1, type: "message", date_unixtime: "1714536000", from: "甲", from_id: "user9", text: "在吗" };
  writeFileSync(cut, JSON.stringify({ name: "断", type: "personal_chat", id: 9, messages: [message] }).slice(0, -2));
  const several = await importInto(folder, unknown, cut);
  expect(several).toMatchObject({
    code: 78,
    out: expect.stringContaining('into the chat "断", for owners in private'),
  });
  expect(await importInto(folder, cut)).toMatchObject({ code: 1, out: expect.stringContaining("breaks off") });
  expect((await importInto(folder, folder.config)).error).toContain("is no file");
  expect((await importInto(folder, join(folder.config, "gone.txt"))).error).toContain("There is no file");
  expect((await start.stop()).code).toBe(0);
});

test("the messages that a connected QQ account keeps of a group come into her own log of it, once", async () => {
  const story = await startOneBotStory("forward");
  const { fake, folder } = story;
  const group = "group:30001";
  for (let n = 0; n < 70; n += 1)
    fake.say({ chat: group, from: { id: 20_001, name: "小安" }, text: `搬家的第${n}件事` });
  await story.start();
  story.say("/pair", { chat: group, from: qqOwner, at: [fake.selfId] });
  await story.hear(/这个群开启了/, { chat: group });

  const from = ["--from", "onebot:group:30001", "--json"];
  const part = JSON.parse((await importInto(folder, ...from, "--count", "30")).out);
  expect(part).toMatchObject({ format: "onebot", new: part.read - part.duplicates });
  const whole = JSON.parse((await importInto(folder, ...from)).out);
  expect(whole.chats).toEqual(part.chats);
  expect(JSON.parse((await importInto(folder, ...from)).out)).toMatchObject({ new: 0, chats: part.chats });
  const told = "select count(distinct text) as texts, count(*) as rows from log_messages where text like '搬家的%'";
  expect(await lookIntoStore(folder, told)).toEqual([{ texts: 70, rows: 70 }]);
  expect(
    await lookIntoStore(
      folder,
      "select session, kind from log_chats where id = (select min(chat) from log_messages where text like '搬家的%')",
    ),
  ).toEqual([{ session: `qq:${fake.selfId}:30001`, kind: "group" }]);
  const nowhere = await importInto(folder, "--from", "onebot:group:39999");
  expect(nowhere).toMatchObject({ code: 69, error: expect.stringContaining("could not be read") });
});
