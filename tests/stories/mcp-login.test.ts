import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startTelegramStory } from "../support/kurisu-process/telegram-story.ts";
import { spawnKurisu } from "../support/kurisu-process/spawn-kurisu.ts";
import { startLoginServer } from "../support/mcp/login-server.ts";
import { mcpFile } from "../support/mcp/reference-servers.ts";
import { useByWords } from "../support/mcp/use-by-words.ts";

test("the owner logs in at a server from the chat and the browser comes back; the command line logs out and in again", async () => {
  const server = await startLoginServer();
  const story = await startTelegramStory({
    files: { "mcp.json": mcpFile({ locked: { url: server.url } }) },
    script: useByWords,
  });
  const kurisu = await story.start();
  story.say("/mcp");
  await story.hear(/locked  要先登录：\/mcp login locked/);
  story.say("/mcp login locked");
  const { text } = await story.hear(/```/);
  const address = /http:\S+\/authorize\?\S+/.exec(text)?.[0] ?? "";
  const back = new URL(await server.visit(address));
  expect(back.pathname).toBe("/oauth/mcp/callback");

  const wrong = new URL(back);
  wrong.searchParams.set("state", "<script>");
  const refused = await fetch(wrong);
  expect([refused.status, await refused.text()]).toEqual([400, expect.not.stringContaining("script")]);
  const page = await fetch(back);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("locked 登录好了")]);
  expect((await fetch(back)).status).toBe(400);

  story.say('用 mcp__locked__look {"text":"one"}');
  await story.hearQuestion();
  story.say("确认");
  await story.hear(/^结果是 .*what is inside/s);

  const run = async (...words: readonly string[]) => {
    const child = spawnKurisu(["mcp", ...words, "--json"], { folder: story.folder });
    const { code } = await child.ended();
    return { code, answer: JSON.parse(child.stdout()) as { readonly url?: string; readonly kind?: string } };
  };
  expect(await run("logout", "locked")).toMatchObject({ code: 0, answer: { loggedOut: true } });
  expect((await kurisu.stop()).code).toBe(0);
  // Without a running Kurisu nobody listens: the address is pasted.
  const { answer } = await run("login", "locked");
  const pasted = await server.visit(answer.url ?? "");
  expect(await run("login", "locked", pasted)).toMatchObject({ code: 0, answer: { kind: "done" } });
  expect(await run("login", "locked", pasted)).toMatchObject({ code: 1, answer: { kind: "refused" } });
  const kept = readFileSync(join(story.folder.home, "mcp-logins.json"), "utf8");
  expect(kept).toContain(server.tokens.at(-1));
  for (const token of server.tokens) expect(kurisu.stderr()).not.toContain(token);
});
