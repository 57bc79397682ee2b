import { expect, test } from "vitest";
import { createKurisuFolder } from "../support/kurisu-process/kurisu-folder.ts";
import { runOnce } from "../support/kurisu-process/run-once.ts";
import { startScriptedModel } from "../support/kurisu-process/scripted-model.ts";
import { spawnKurisu } from "../support/kurisu-process/spawn-kurisu.ts";
import { startKurisu } from "../support/kurisu-process/start-kurisu.ts";
import { makeEvilServer } from "../support/mcp/evil-server.ts";
import { mcpFile } from "../support/mcp/reference-servers.ts";
import { useByWords } from "../support/mcp/use-by-words.ts";
import { waitUntil } from "../support/wait-until.ts";

test("chat --once shows the question of a server and waits; a second one answers it, and both hear the reply", async () => {
  const evil = makeEvilServer({ onCall: "ask" });
  const folder = createKurisuFolder({
    "mcp.json": mcpFile({ evil: evil.entry }),
    "system/tools.yaml": "permissions: { safe: [mcp__evil__act] }\n",
  });
  const { environment } = await startScriptedModel(useByWords);
  const options = { folder, environment };
  const kurisu = await startKurisu(options);
  const asking = spawnKurisu(["chat", "--once", '用 mcp__evil__act {"text":"one"}', "--json"], options);
  await waitUntil("the question", () => asking.stdout().includes("Which city?"));
  expect(asking.exit()).toBeUndefined();
  const [, code = ""] = /编号 ([A-Z]{2}\d)/.exec(asking.stdout()) ?? [];
  const answered = await runOnce(`答 ${code} 秋叶原`, options);
  expect(answered.lines[0]).toEqual({ type: "delta", text: `${code} 告诉它了。` });
  expect(answered).toMatchObject({ code: 0, reply: expect.stringMatching(/^结果是 .*秋叶原/s) });
  expect((await asking.ended()).code).toBe(0);
  const lines = asking
    .stdout()
    .split("\n")
    .flatMap((line) => (line === "" ? [] : [JSON.parse(line) as { readonly type: string; readonly text?: string }]));
  // What is shown while she works is drawn at a pace: the steps after the answer may be skipped.
  const types = lines.map(({ type }) => type).join(" ");
  expect(types).toMatch(/^tool delta delta(?: tool)?(?: delta)? reply$/);
  expect(lines[1]?.text).toContain("MCP 服务器 evil 在办事的中途问你");
  expect((await kurisu.stop()).code).toBe(0);
});
