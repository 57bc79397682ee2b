// full: starts the program
import { expect, it } from "vitest";
import { createKurisuFolder } from "../support/kurisu-process/kurisu-folder.ts";
import { spawnKurisu } from "../support/kurisu-process/spawn-kurisu.ts";
import { mcpFile } from "../support/mcp/reference-servers.ts";
import { plainSkill, writeTree } from "../support/skill-source.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

it("a skill that is off as soon as it was installed says so, at the terminal and to an owner in a chat", async () => {
  const folder = createKurisuFolder();
  folder.configure("skills/tea/skill.yaml", plainSkill.replaceAll("weather", "tea"));
  const source = await createTemporaryFolder();
  writeTree(source, {
    "skill.yaml": `${plainSkill}tools: { mcpConfig: mcp.json }\n`,
    "mcp.json": mcpFile({ forecast: { command: "x", env: { KEY: "${FORECAST_KEY}" } } }),
  });
  const run = async (environment: Record<string, string>, ...words: readonly string[]) => {
    const child = spawnKurisu(words, { folder, environment: { KURISU_MODEL: "offline", ...environment } });
    await child.ended();
    return child.stdout();
  };
  const why = "the environment variable FORECAST_KEY is not set";
  expect(await run({}, "skills", "install", source, "--yes")).toContain(why);
  const shown = await run({}, "chat", "--once", "/skills");
  expect(shown).toContain("○ tea");
  expect(shown).toContain(`✕ weather  装来的，停用了：mcp.json`);
  expect(shown).toContain(why);
  const set = { FORECAST_KEY: "abcdef123" };
  expect(await run(set, "chat", "--once", "/skills")).toMatch(/✕ weather {2}天气 {2}装来的，这里还没用过/);
  // Nobody is shown what the model is told.
  expect(await run(set, "chat", "--once", "/mcp forecast")).toContain("它是技能 weather 带的");
});
