import { request } from "node:http";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { listMcpLogins } from "../../src/features/mcp/queries/mcp-logins.ts";
import { startTelegramStory } from "../support/kurisu-process/telegram-story.ts";
import { spawnKurisu } from "../support/kurisu-process/spawn-kurisu.ts";
import { startLoginServer } from "../support/mcp/login-server.ts";
import { mcpFile } from "../support/mcp/reference-servers.ts";
import { useByWords } from "../support/mcp/use-by-words.ts";
import { openTestStore } from "../support/test-store.ts";

const clientMetadataUrl = "https://kurisu.example/oauth/mcp/client.json";

test("the owner logs in at a server from the chat and the browser comes back; the command line logs out and in again", async () => {
  const server = await startLoginServer({ callScope: { name: "delete" } });
  const story = await startTelegramStory({
    files: { "mcp.json": mcpFile({ locked: { url: server.url, oauth: { clientMetadataUrl } } }) },
    script: useByWords,
  });
  const kurisu = await story.start();
  story.say("/mcp");
  await story.hear(/locked  要先登录：\/mcp login locked/);
  story.say("/mcp login locked");
  const offer = await story.hear(/```/);
  const address = /http:\S+\/authorize\?\S+/.exec(offer.text)?.[0] ?? "";
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
  // This needs wider rights than the server spoke of: it was not done, the owner is told in private, and may log in again.
  await story.hear(/did not do it/);
  await story.hear(/locked 说现在的登录权限不够.*delete.*\/mcp login locked/s);
  story.say("/mcp");
  await story.hear(/locked  要先登录：\/mcp login locked/);
  story.say("/mcp login locked");
  const again = await story.hear(/scope=read\+write\+delete/);
  const wider = await fetch(await server.visit(/http:\S+\/authorize\?\S+/.exec(again.text)?.[0] ?? ""));
  expect([wider.status, await wider.text()]).toEqual([200, expect.stringContaining("locked 登录好了")]);
  story.say('用 mcp__locked__look {"text":"two"}');
  await story.hearQuestion();
  story.say("确认");
  await story.hear(/^结果是 .*what is inside/s);

  // Who we are, as the login server of a host that knows clients by their address would read it.
  const readDocument = (host: string) =>
    new Promise<string>((resolve, reject) => {
      const asking = request(`${back.origin}/oauth/mcp/client.json`, { headers: { host } }, (response) => {
        text(response).then(resolve, reject);
      });
      asking.once("error", reject).end();
    });
  expect(JSON.parse(await readDocument("kurisu.example"))).toMatchObject({
    client_id: clientMetadataUrl,
    redirect_uris: [`${back.origin}${back.pathname}`],
  });
  expect(await readDocument(back.host)).not.toContain("client_id");

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
  const { main } = await openTestStore(story.folder);
  expect((await listMcpLogins(main)).get("locked")).toContain(server.tokens.at(-1));
  for (const token of server.tokens) expect(kurisu.stderr()).not.toContain(token);
});
