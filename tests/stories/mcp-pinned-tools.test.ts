import { expect, test } from "vitest";
import { openStore } from "../support/open-store.ts";
import { runHere } from "../support/kurisu-process/run-here.ts";
import { startTelegramStory } from "../support/kurisu-process/telegram-story.ts";
import { makeEvilServer } from "../support/mcp/evil-server.ts";
import { mcpFile } from "../support/mcp/reference-servers.ts";
import { useByWords } from "../support/mcp/use-by-words.ts";
import { waitUntil } from "../support/wait-until.ts";

test("the command line lists and explains tools of servers as they are pinned, and starts no server for it", async () => {
  const lib = makeEvilServer({ more: ["look", "other"] });
  const never = makeEvilServer();
  const story = await startTelegramStory({
    files: {
      "mcp.json": mcpFile({ lib: lib.entry }),
      "system/tools.yaml": "rules:\n  - { tool: mcp__lib__look, level: safe, role: owner }\n",
    },
    script: useByWords,
  });
  const tools = (...words: readonly string[]) => runHere(["tools", ...words], { folder: story.folder });
  const listed = async () =>
    (await tools("list", "--json")).out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { readonly name: string })
      .filter(({ name }) => name.startsWith("mcp__"));

  const before = await tools("list");
  expect(before.out).not.toContain("mcp__lib__");
  expect(before.error).toContain("The MCP server lib was never started");
  const kurisu = await story.start();
  // Beside a Kurisu that runs, too.
  lib.be({ description: "Does something else.", more: ["look", "other"] });
  process.kill(lib.pid(), "SIGUSR2");
  await waitUntil("quarantine", async () => (await tools("list")).out.includes("quarantined"));
  expect((await kurisu.stop()).code).toBe(0);

  const store = await openStore(story.folder);
  await store.main
    .updateTable("mcp_pins")
    .set({ hash: "0".repeat(64) })
    .where("tool", "=", "other")
    .execute();
  await store.close();
  const starts = lib.everything().filter((line) => line.startsWith("start ")).length;
  story.folder.configure("mcp.json", mcpFile({ lib: lib.entry, never: never.entry }));
  expect(await listed()).toMatchObject([
    { name: "mcp__lib__act", available: false, state: "quarantined", reason: expect.stringMatching(/has changed/) },
    { name: "mcp__lib__look", level: "confirm", source: "mcp", available: true, state: "trusted" },
    { name: "mcp__lib__other", available: false, state: "blocked", reason: expect.stringMatching(/damaged/) },
  ]);
  const text = await tools("list");
  expect(text.out).toMatch(/^mcp__lib__act +confirm +mcp +quarantined: /m);
  expect(text.out).toMatch(/^mcp__lib__look +confirm +mcp +\[MCP server lib\] Does look\./m);
  expect(text.out).toMatch(/^mcp__lib__other +confirm +mcp +blocked: /m);
  expect(text.error).toContain("The MCP server never was never started");

  expect((await tools("why", "mcp__lib__look", '{"text":"x"}')).out).toMatch(/^allow: .*tools\.yaml:2:5/);
  expect((await tools("why", "mcp__lib__act", '{"text":"x"}')).out).toMatch(/^deny: .*has changed what it says/);

  const definitions = JSON.parse((await tools("--format", "anthropic")).out) as { readonly name: string }[];
  const own = definitions.filter(({ name }) => name.startsWith("mcp__"));
  expect(own).toMatchObject([
    { name: "mcp__lib__look", input_schema: { properties: { text: { type: "string" } }, required: ["text"] } },
  ]);
  expect(lib.everything().filter((line) => line.startsWith("start ")).length).toBe(starts);
  expect(never.everything()).toEqual([]);
});
