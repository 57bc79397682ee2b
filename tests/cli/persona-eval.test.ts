import { expect, it } from "vitest";
import { createKurisuFolder } from "../support/kurisu-process/kurisu-folder.ts";
import { runHere } from "../support/kurisu-process/run-here.ts";
import { lastWords, startScriptedModel } from "../support/kurisu-process/scripted-model.ts";

it("the command has a model answer the golden dialogues and reports by situation and language what stayed in character", async () => {
  const model = await startScriptedModel(({ messages }) => {
    const last = messages.at(-1);
    return { content: last?.role === "tool" ? "作为AI，我无法评价这个结果。" : "……" };
  });
  const folder = createKurisuFolder();
  const asked = await runHere(["persona", "eval", "--json"], { folder, environment: model.environment });
  expect(asked.error).toBe("");
  const lines = asked.out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { situation: string; lang: string; kinds: string[]; model: string });
  expect(lines.length).toBeGreaterThanOrEqual(60);
  expect(new Set(lines.map(({ lang }) => lang))).toEqual(new Set(["zh", "en", "ja"]));
  for (const { kinds, situation } of lines)
    expect([situation, kinds.includes("ai-self-disclosure")]).toEqual([situation, situation.startsWith("after ")]);
  // The model reads the persona, and a tool's result as one.
  expect(model.requests[0]?.messages[0]?.role).toBe("system");
  expect(model.requests.some(({ messages }) => messages.at(-1)?.role === "tool")).toBe(true);

  const table = await runHere(["persona", "eval"], { folder, environment: model.environment });
  expect(table.out).toMatch(
    /openai:test: replies that stayed in character\n +zh +en +ja +all\nsmall talk +3\/3 +3\/3 +3\/3 +9\/9\n/,
  );
  expect(table.out).toMatch(/\nafter a tool +0\/3 +0\/3 +0\/3 +0\/9\n/);
});

it("asks the judge of models.yaml about each reply, and says where only the judge sees a break", async () => {
  const model = await startScriptedModel((request) => {
    if (request.model !== "judge") return { content: "……" };
    const { message } = JSON.parse(lastWords(request)) as { message: string };
    if (message.includes("？")) return { content: "I cannot say." };
    if (message.length % 2 === 0) return { content: '{"kinds": []}' };
    return { content: 'Here: ```json\n{"kinds": ["lecture", "no such kind"]}\n```' };
  });
  const folder = createKurisuFolder({ "system/models.yaml": "persona:\n  judge: openai:judge\n" });
  const asked = await runHere(["persona", "eval", "--json"], { folder, environment: model.environment });
  const lines = asked.out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { last: string; judge: unknown });
  const expected = (last: string) => (last.length % 2 === 0 ? [] : ["lecture"]);
  for (const { judge, last } of lines) expect(judge).toEqual(last.includes("？") ? "unread" : expected(last));
  const table = await runHere(["persona", "eval"], { folder, environment: model.environment });
  const fine = lines.filter(({ judge }) => Array.isArray(judge) && judge.length === 0).length;
  const read = lines.filter(({ judge }) => judge !== "unread").length;
  expect(table.out).toContain(
    `Judge openai:judge: ${fine}/${read} in character; it agrees with the checks on ${fine}.`,
  );
  expect(table.out).toContain(`It gave ${lines.length - read} times no verdict.`);
});

it("refuses to examine the offline model, and names the remedy", async () => {
  const { code, error } = await runHere(["persona", "eval", "--model", "offline"], { folder: createKurisuFolder() });
  expect(code).not.toBe(0);
  expect(error).toContain("persona eval --model PROVIDER:NAME");
});

it("says that a model's name has no provider", async () => {
  const { code, error } = await runHere(["persona", "eval", "--model", "gpt"], { folder: createKurisuFolder() });
  expect(code).not.toBe(0);
  expect(error).toContain("--model");
});
