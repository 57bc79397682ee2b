import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { beforeEach, describe, expect, it } from "vitest";
import { buildModel } from "../../../src/features/skills/matching/build-model.ts";
import { createIntentMatcher } from "../../../src/features/skills/matching/intent-matcher.ts";
import type { LearnModel } from "../../../src/features/skills/matching/skill-models.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

const skill = (id: string, sentences: readonly string[] = [], keywords: readonly string[] = []) => ({
  id,
  name: id,
  description: "",
  context: "",
  sentences,
  trigger: { keywords, topics: [] },
  origin: "config" as const,
});

const tides = skill("tides", ["几点涨潮", "什么时候退潮", "今天的潮汐", "涨潮了没有", "退潮到几点"]);

/** A table of two skills that a second teaches. */
const table = Array.from({ length: 40 }, (_, n) =>
  [`tea\t泡一壶茶${n}`, `wine\t开一瓶红酒${n}`, `none\t今天天气真好${n}`].join("\n"),
).join("\n");

describe("an intent matcher", () => {
  let folder: string;
  let lines: string[];
  const create = (more: Partial<Parameters<typeof createIntentMatcher>[0]> = {}) =>
    createIntentMatcher({
      table: () => join(folder, "sentences.tsv"),
      cache: join(folder, "cache"),
      log: pino({ level: "warn" }, { write: (line: string) => void lines.push(line) }),
      patienceMs: 60_000,
      ...more,
    });
  const learn: LearnModel = async (source) => buildModel(source);
  const kept = () => readdirSync(join(folder, "cache"));
  beforeEach(async () => {
    folder = await createTemporaryFolder();
    lines = [];
    writeFileSync(join(folder, "sentences.tsv"), table);
    for (const id of ["tea", "wine"]) mkdirSync(join(folder, id));
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
    const match = create({ table: () => join(folder, "nothing.tsv"), cache: join(folder, "other") });
    expect(await match(skills, "泡壶茶吧")).toEqual(["tea"]);
    expect(await match(skills, "开瓶红酒")).toEqual([]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("by keywords alone");
  });

  it("leaves out the one skill that cannot be learnt, names it once, and keeps all others", async () => {
    const attempts: number[] = [];
    const match = create({
      learn: async (source) => {
        attempts.push(source.own?.length ?? 0);
        if (source.own?.some(({ id }) => id === "broken")) throw new Error("out of memory");
        return buildModel(source);
      },
    });
    const others = ["a", "b", "c", "d"].map((id) => skill(id, [`${id}${id}${id} 海图在哪里`]));
    const skills = [skill("tea"), tides, ...others, skill("broken", ["什么都行"])];
    expect(await match(skills, "泡壶茶吧")).toEqual(["tea"]);
    expect(await match(skills, "明天几点涨潮")).toEqual(["tides"]);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ skills: ["broken"] });
    expect(attempts.length).toBeLessThan(10);
    // What was learnt in parts is kept in parts.
    expect(kept().filter((name) => name.startsWith("own-")).length).toBeGreaterThan(1);
  });

  it("gives up where no further skill can be learnt, and the shipped ones are found all the same", async () => {
    let attempts = 0;
    const match = create({
      learn: (source) => {
        attempts += 1;
        return source.own ? Promise.reject(new Error("no thread")) : learn(source);
      },
    });
    const many = Array.from({ length: 500 }, (_, n) => skill(`s${n}`, [`第${n}件事`]));
    const skills = [skill("tea"), ...many];
    expect(await match(skills, "泡壶茶吧")).toEqual(["tea"]);
    expect(attempts).toBeLessThan(50);
    expect(lines.length).toBeLessThan(50);
  });

  it("answers with the shipped skills while further ones are being learnt, and finds those afterwards", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const match = create({
      patienceMs: 50,
      learn: async (source) => {
        if (source.own) await promise;
        return learn(source);
      },
    });
    await create()([skill("tea")], "泡壶茶吧");
    const skills = [skill("tea"), tides];
    expect(await match(skills, "泡壶茶吧")).toEqual(["tea"]);
    expect(await match(skills, "明天几点涨潮")).toEqual([]);
    resolve();
    await expect.poll(() => match(skills, "明天几点涨潮")).toEqual(["tides"]);
  });

  it("learns on its thread as many sentences as skills may have, and says which were cut", async () => {
    const greedy = Array.from({ length: 40 }, (_, n) => skill(`greedy-${n}`, makeSentences(67, n)));
    const match = create();
    const skills = [skill("tea"), tides, ...greedy];
    expect(await match(skills, "明天几点涨潮")).toEqual(["tides"]);
    expect(await match(skills, greedy[7]?.sentences[0] ?? "")).toContain("greedy-7");
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ count: 40 });
  });

  it("teaches a skill by the table if it lies beside it, and by its own sentences if only the name is the same", async () => {
    writeFileSync(
      join(folder, "sentences.tsv"),
      `${table}\n${table.replaceAll("tea\t泡一壶茶", "coffee\t磨一杯咖啡")}`,
    );
    const match = create();
    const own = { ...tides, id: "coffee" };
    expect(await match([skill("tea"), own], "明天几点涨潮")).toEqual(["coffee"]);
    expect(await match([skill("tea"), own], "磨杯咖啡吧")).toEqual([]);
    const stranger = { ...tides, id: "tea", installed: { digest: "", source: "" } };
    expect(await match([stranger], "明天几点涨潮")).toEqual(["tea"]);
    expect(await match([stranger], "泡壶茶吧")).toEqual([]);
  });
});

/** Sentences of 300 characters with as few runs in common as can be. */
function makeSentences(count: number, seed: number): readonly string[] {
  let state = seed * 7919 + 1;
  const next = (): string => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return String.fromCharCode(0x4e00 + ((state >>> 8) % 20_000));
  };
  return Array.from({ length: count }, () => Array.from({ length: 300 }, next).join(""));
}
