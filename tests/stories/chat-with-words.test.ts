// quick: the story of the terminal
import { expect, test } from "vitest";
import { createKurisuFolder } from "../support/kurisu-process/kurisu-folder.ts";
import { spawnKurisu } from "../support/kurisu-process/spawn-kurisu.ts";

test("words behind `chat` are sent as one message, and not dropped", async () => {
  const folder = createKurisuFolder();
  const environment = { KURISU_MODEL: "offline" };
  const said = spawnKurisu(["chat", "现在", "几点"], { folder, environment });
  expect(await said.ended()).toMatchObject({ code: 0 });
  expect(said.stdout()).toMatch(/\d{4}年\d{1,2}月\d{1,2}日/);
  const twice = spawnKurisu(["chat", "--once", "现在", "几点"], { folder, environment });
  expect(await twice.ended()).not.toMatchObject({ code: 0 });
  expect(twice.stderr()).toContain("Quote the message as a whole");
});

test("a script that sends /dmail reads the notice as well as the answer, and the raw text of both", async () => {
  const folder = createKurisuFolder();
  const environment = { KURISU_MODEL: "offline" };
  for (const text of ["现在几点", "你好"]) await spawnKurisu(["chat", "--once", text], { folder, environment }).ended();
  const sent = spawnKurisu(["chat", "--once", "/dmail 1 现在几点"], { folder, environment });
  expect(await sent.ended()).toMatchObject({ code: 0 });
  expect(sent.stdout()).toMatch(/世界线[^]*\d{4}年\d{1,2}月\d{1,2}日/);
});

test("an unknown command ends with its error in the language of the terminal, below the list of commands", async () => {
  const folder = createKurisuFolder();
  for (const [LANG, summary, error] of [
    ["C", "start Kurisu", "There is no command foo."],
    ["zh_CN.UTF-8", "启动 Kurisu", "没有 foo 这个命令。"],
    ["ja_JP.UTF-8", "Kurisu を起動する", "foo というコマンドはない。"],
  ] as const) {
    const asked = spawnKurisu(["foo"], { folder, environment: { LANG } });
    expect(await asked.ended()).toMatchObject({ code: 78 });
    expect(asked.stderr()).toContain(summary);
    expect(asked.stderr().trimEnd().split("\n").at(-1)).toBe(error);
    expect(asked.stdout()).toBe("");
  }
});

test("the doctor speaks the language of the terminal", async () => {
  const environment = { KURISU_MODEL: "offline", LANG: "ja_JP.UTF-8" };
  const doctor = spawnKurisu(["doctor", "--no-ask"], { folder: createKurisuFolder(), environment });
  await doctor.ended();
  expect(doctor.stdout()).toContain("データベース: sqlite（新規）");
  expect(doctor.stdout()).toMatch(/telegram: オフ。TELEGRAM_BOT_TOKEN を設定する/);
});
