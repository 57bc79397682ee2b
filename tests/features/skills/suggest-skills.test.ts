import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { createEmbedTexts } from "../../../src/models/embed-texts.ts";
import { createSuggestSkills } from "../../../src/features/skills/suggest-skills.ts";
import type { Skill } from "../../../src/features/skills/loader/types.ts";
import { HandClock } from "../../support/hand-clock.ts";
import { embeddingsKey, startEmbeddingsServer } from "../../support/models/embeddings-server.ts";
import { waitUntil } from "../../support/wait-until.ts";

const skill = (id: string, description: string) => ({ id, name: id, description }) as Skill;
const skills = [skill("rain", "weather"), skill("tea", "tea"), skill("music", "songs")];

async function start() {
  const server = await startEmbeddingsServer([/weather|umbrella/, /tea|drink/, /song/]);
  const clock = new HandClock();
  const logged: string[] = [];
  const log = pino(
    { level: "info" },
    { write: (line: string) => logged.push((JSON.parse(line) as { msg: string }).msg) },
  );
  const embed = createEmbedTexts({ baseUrl: server.url, apiKey: embeddingsKey, model: "test-vectors" });
  return { server, clock, logged, suggest: createSuggestSkills({ embed, clock, log }) };
}

describe("skills that may be meant", () => {
  test("suggestions are skills with a similar description, and unchanged descriptions are embedded once", async () => {
    const { server, logged, suggest } = await start();
    expect(await suggest("do I need my umbrella", skills)).toEqual(["rain"]);
    expect(await suggest("something to drink", skills)).toEqual(["tea"]);
    expect(await suggest("how are you", skills)).toEqual([]);
    expect(server.asked.toSorted((a, b) => a.length - b.length)).toEqual([
      ["do I need my umbrella"],
      ["something to drink"],
      ["how are you"],
      ["rain: weather", "tea: tea", "music: songs"],
    ]);
    const changed = [...skills.slice(0, 2), skill("music", "dreams of tea")];
    expect(await suggest("something to drink", changed)).toEqual(["tea", "music"]);
    expect(server.asked.slice(-2).flat().toSorted()).toEqual(["music: dreams of tea", "something to drink"]);
    for (const [words, some] of [
      ["  ", skills],
      ["drink", skills.slice(1, 2)],
    ] as const)
      expect(await suggest(words, some)).toEqual([]);
    expect([server.asked.flat().length, logged]).toEqual([8, []]);
  });

  test("suggestions are empty while the endpoint fails: it is logged once, not asked for a minute, and used again later", async () => {
    const { server, clock, logged, suggest } = await start();
    for (const mood of ["failing", "few", "nonsense"] as const) {
      server.be(mood);
      expect(await suggest("umbrella", skills)).toEqual([]);
      const asked = server.asked.length;
      clock.advance(59_000);
      expect(await suggest("umbrella", skills)).toEqual([]);
      expect(server.asked).toHaveLength(asked);
      clock.advance(1_000);
    }
    expect(logged).toEqual([expect.stringContaining("did not answer")]);
    server.be("well");
    expect(await suggest("umbrella", skills)).toEqual(["rain"]);
    expect(logged).toEqual([expect.stringContaining("did not answer"), expect.stringContaining("answers again")]);
    server.be("failing");
    expect(await suggest("umbrella", skills)).toEqual([]);
    expect(logged).toHaveLength(3);
  });

  test("suggestions skip vectors of another length, and all descriptions are embedded anew", async () => {
    const { server, clock, logged, suggest } = await start();
    expect(await suggest("umbrella", skills)).toEqual(["rain"]);
    server.be("uneven");
    expect(await suggest("umbrella", skills)).toEqual([]);
    expect(logged).toHaveLength(1);
    clock.advance(60_000);
    server.be("well");
    expect(await suggest("umbrella", skills)).toEqual(["rain"]);
    expect(server.asked.filter((texts) => texts.includes("tea: tea"))).toHaveLength(2);
  });

  test("suggestions are empty for a turn when the endpoint is slow, and the descriptions are embedded once in the background", async () => {
    const { server, clock, suggest } = await start();
    const release = server.hold();
    const waiting = [suggest("umbrella", skills), suggest("umbrella", skills)];
    expect(await Promise.all(waiting)).toEqual([[], []]);
    release();
    clock.advance(60_000);
    await waitUntil("a suggestion", async () => {
      clock.advance(60_000);
      return (await suggest("umbrella", skills)).includes("rain");
    });
    expect(server.asked.filter((texts) => texts.includes("tea: tea"))).toHaveLength(1);
  });
});
