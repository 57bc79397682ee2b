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
