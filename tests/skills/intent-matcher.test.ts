import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { beforeEach, describe, expect, it } from "vitest";
import { createIntentMatcher } from "../../src/skills/matching/intent-matcher.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const skill = (id: string, sentences: readonly string[] = [], keywords: readonly string[] = []) => ({
  id,
  sentences,
  trigger: { keywords, topics: [] },
});

/** A table of two skills that a second teaches. */
const table = Array.from({ length: 40 }, (_, n) =>
  [`tea\t泡一壶茶${n}`, `wine\t开一瓶红酒${n}`, `none\t今天天气真好${n}`].join("\n"),
).join("\n");

describe("an intent matcher", () => {
  let folder: string;
  let lines: string[];
  const create = () =>
    createIntentMatcher({
      table: () => join(folder, "sentences.tsv"),
      cache: join(folder, "cache"),
      log: pino({ level: "warn" }, { write: (line: string) => void lines.push(line) }),
    });
  const kept = () => readdirSync(join(folder, "cache"));
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    lines = [];
    writeFileSync(join(folder, "sentences.tsv"), table);
  });

  it("learns once, keeps what it learnt, and learns a damaged or outdated file again", async () => {
    const skills = [skill("tea"), skill("wine")];
    expect(await create()(skills, "泡壶茶吧")).toEqual(["tea"]);
    const [name = ""] = kept();
    const file = join(folder, "cache", name);
    const bytes = readFileSync(file);
    expect(statSync(file).mode & 0o077).toBe(0);
    for (const damaged of [
      bytes.subarray(0, 100),
      Buffer.alloc(0),
      Buffer.concat([bytes.subarray(0, -1), Buffer.of(7)]),
    ]) {
      writeFileSync(file, damaged);
      expect(await create()(skills, "泡壶茶吧")).toEqual(["tea"]);
      expect(readFileSync(file).equals(bytes)).toBe(true);
    }
    writeFileSync(join(folder, "sentences.tsv"), `${table}\ntea\t沏一杯绿茶`);
    expect(await create()(skills, "泡壶茶吧")).toEqual(["tea"]);
    expect(kept()).toHaveLength(1);
    expect(kept()).not.toEqual([name]);
    expect(lines).toEqual([]);
  });

  it("learns further skills from their own sentences, anew when these change, and not before they are there", async () => {
    const match = create();
    const tides = skill("tides", ["几点涨潮", "什么时候退潮", "今天的潮汐", "涨潮了没有", "退潮到几点"]);
    expect(await match([tides], "明天几点涨潮")).toEqual(["tides"]);
    expect(await match([tides], "开瓶红酒")).toEqual([]);
    expect(await match([skill("tides", ["开一瓶红葡萄酒"])], "明天几点涨潮")).toEqual([]);
    expect(await match([], "明天几点涨潮")).toEqual([]);
    expect(kept().filter((name) => name.startsWith("own-"))).toHaveLength(1);
  });

  it("learns nothing for skills that are found by keywords", async () => {
    expect(await create()([skill("charts", [], ["海图"])], "看看海图")).toEqual(["charts"]);
    expect(existsSync(join(folder, "cache"))).toBe(false);
  });

  it("goes on with keywords where the table is missing, and without keeping where it may not write", async () => {
    const skills = [skill("tea", [], ["茶"]), skill("wine")];
    mkdirSync(join(folder, "locked"));
    writeFileSync(join(folder, "cache"), "a file");
    expect(await create()(skills, "泡壶茶吧")).toEqual(["tea"]);
    expect(lines.splice(0).join()).toContain("cannot be kept");
    chmodSync(join(folder, "sentences.tsv"), 0o600);
    const match = createIntentMatcher({
      table: () => join(folder, "nothing.tsv"),
      cache: join(folder, "other"),
      log: pino({ level: "warn" }, { write: (line: string) => void lines.push(line) }),
    });
    expect(await match(skills, "泡壶茶吧")).toEqual(["tea"]);
    expect(await match(skills, "开瓶红酒")).toEqual([]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("by keywords alone");
  });
});
