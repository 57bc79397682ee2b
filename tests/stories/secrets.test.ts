import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { callTools, lastWords, modelKey, resultsOfThisTurn } from "../support/kurisu-process/scripted-model.ts";
import { startTelegramStory } from "../support/kurisu-process/telegram-story.ts";
import { startSite } from "../support/web-server.ts";

const serverToken = "canary-of-a-server-0123456789";

test("a known secret that a server or a file repeats reaches no model, chat, log and table", async () => {
  const site = await startSite((request, response) => {
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ echoed: request.headers.authorization, [serverToken]: 1 }));
  });
  const tools = `http:
  lookup:
    description: Looks something up.
    endpoint: ${site.origin}/lookup
    headers: { authorization: "Bearer \${LOOKUP_TOKEN}" }
`;
  const story = await startTelegramStory({
    files: { "system/tools.yaml": tools },
    environment: { LOOKUP_TOKEN: serverToken },
    script(request) {
      const results = resultsOfThisTurn(request);
      // What a model repeats of what it was told is what it could give away.
      if (results.length > 0) return { content: `上面写着：${results.join(" ")}` };
      const said = lastWords(request);
      if (said.includes("背"))
        return { content: `密钥是 ${modelKey}，倒过来是 ${Array.from(modelKey).toReversed().join("")}。` };
      if (said.includes("查")) return callTools({ name: "lookup", arguments: {} });
      if (said.includes("读")) return callTools({ name: "file_read", arguments: { path: "inbox/keys.txt" } });
      return { content: `你说：${said}` };
    },
  });
  await story.start();
  story.say("背一下");
  await story.hear("密钥是 [secret]，倒过来是 [secret]。");
  story.say("查一下");
  await story.hear(/上面写着/);
  story.sendFile({ content: Buffer.from(`key=${modelKey}\n`), name: "keys.txt", caption: "读一下" });
  await story.hear(/上面写着.*secret/);
  await story.quiet();
  expect(site.requests[0]?.headers.authorization).toBe(`Bearer ${serverToken}`);
  // The key of the model, the bot's token, chats, logs and tables are looked through at the end of every story.
  const records = [
    JSON.stringify(story.model.requests),
    ...story.said(),
    readFileSync(join(story.folder.home, "kurisu.db"), "latin1"),
  ];
  expect(records.filter((text) => text.includes(serverToken))).toEqual([]);
});
