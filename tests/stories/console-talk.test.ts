import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { MessagesView } from "../../src/console/views/chats-views.ts";
import type { QuestionsView } from "../../src/console/views/question-views.ts";
import type { SaidView } from "../../src/console/views/talk-views.ts";
import { createKurisuFolder } from "../support/kurisu-process/kurisu-folder.ts";
import { lookIntoStore } from "../support/kurisu-process/look-into-store.ts";
import {
  callTools,
  lastWords,
  resultsOfThisTurn,
  startScriptedModel,
  type ModelScript,
} from "../support/kurisu-process/scripted-model.ts";
import { startKurisu, type RunningKurisu } from "../support/kurisu-process/start-kurisu.ts";
import { waitUntil } from "../support/wait-until.ts";

const session = "console:local:main";

/** A browser that is signed in by the code of the start screen. */
async function signIn(kurisu: RunningKurisu) {
  const [code = ""] = /\b[2-9A-Z]{4}-[2-9A-Z]{4}\b/.exec(kurisu.stdout()) ?? [];
  const headers = { "content-type": "application/json", "x-kurisu": "1", origin: kurisu.url };
  const entered = await fetch(`${kurisu.url}/api/login`, { method: "POST", headers, body: JSON.stringify({ code }) });
  expect(entered.status).toBe(204);
  return follow(kurisu, entered.headers.getSetCookie()[0]?.split(";")[0] ?? "");
}

function follow({ url }: Pick<RunningKurisu, "url">, cookie: string) {
  const headers = { "content-type": "application/json", "x-kurisu": "1", origin: url, cookie };
  const ask = async (path: string, body?: object) => {
    const answer = await fetch(`${url}/api${path}`, {
      headers,
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
    return { status: answer.status, view: await answer.json() };
  };
  const transcript = async () => {
    const { rows } = (await ask(`/sessions/${encodeURIComponent(session)}/messages`)).view as MessagesView;
    return rows
      .filter(({ who }) => who.kind !== "notice")
      .map(({ blocks, files, who }) => ({
        who: who.kind,
        text: blocks.flatMap((block) => ("inside" in block ? block.inside.map(readText) : [])).join(""),
        files,
      }));
  };
  return {
    cookie,
    headers,
    transcript,
    async say(text: string, key = randomUUID()) {
      const { status, view } = await ask("/chats/main/messages", { text, key });
      expect(status).toBe(202);
      return (view as SaidView).cause;
    },
    hears: (words: string) =>
      waitUntil(words, async () => (await transcript()).some(({ text, who }) => who === "her" && text.includes(words))),
    questions: async () => ((await ask("/questions")).view as QuestionsView).open,
    ask,
  };
}

const readText = (inline: object): string => ("text" in inline ? String(inline.text) : "\n");

/** 写 WORD: a file is written, which needs an approval. 发 WORD: it is sent. */
const script: ModelScript = (request) => {
  const [, verb, word] = /^([写发]) (\w+)$/.exec(lastWords(request)) ?? [];
  if (word === undefined) return undefined;
  if (resultsOfThisTurn(request).length > 0) return { content: `${word} 好了。` };
  if (verb === "发") return callTools({ name: "send_file", arguments: { path: "effect.txt", caption: "拿去" } });
  return callTools({ name: "file_write", arguments: { path: "effect.txt", content: `${word}\n`, mode: "append" } });
};

test("the owner talks to her in the console: an answer, a command, a question that is approved there, a file that she sends", async () => {
  const model = await startScriptedModel(script);
  const folder = createKurisuFolder();
  const environment = { ...model.environment, KURISU_PORT: "0", KURISU_LANGUAGE: "zh" };
  const kurisu = await startKurisu({ folder, environment });
  const { ask, headers, hears, questions, say, transcript } = await signIn(kurisu);

  await say("你好");
  await hears("嗯，我在听。");
  await say("/status");
  await hears("没有等你答复的事");
  await say("写 one");
  await waitUntil("the question", async () => (await questions()).length === 1);
  const [card] = await questions();
  if (card === undefined) throw new Error("nothing is asked");
  expect(card).toMatchObject({ session, asker: { you: true }, calls: [{ tool: "file_write" }] });
  const decision = { decision: "approved", calls: card.calls.map(({ call, hash }) => ({ call, hash })) };
  expect((await ask(`/questions/${card.id}/decision`, decision)).status).toBe(200);
  await hears("one 好了。");

  await say("发 two");
  await waitUntil(
    "the file",
    async () => (await questions()).length === 1 || (await transcript()).some(({ files }) => files.length > 0),
  );
  const [sending] = await questions();
  if (sending !== undefined) await say("确认");
  await hears("two 好了。");
  const rows = await transcript();
  const at = (text: string) => rows.findIndex((row) => row.text.includes(text));
  const order = ["你好", "嗯，我在听", "/status", "没有等你答复的事", "写 one", "one 好了", "发 two", "two 好了"].map(
    at,
  );
  expect(order).not.toContain(-1);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  const [file] = rows.flatMap(({ files }) => files);
  const got = await fetch(`${kurisu.url}/api/files/${file?.id}`, { headers });
  expect(await got.text()).toBe("one\n");
  expect((await kurisu.stop()).code).toBe(0);
});

test("she is killed in the middle of a turn of the console's chat: nothing is lost and nothing is there twice", async () => {
  let isHeld = true;
  let asked = 0;
  const model = await startScriptedModel(async (request) => {
    if (!lastWords(request).startsWith("慢慢想")) return undefined;
    asked += 1;
    while (isHeld) await new Promise((resolve) => setTimeout(resolve, 20));
    return { content: "想好了。" };
  });
  const folder = createKurisuFolder();
  const environment = { ...model.environment, KURISU_PORT: "0", KURISU_LANGUAGE: "zh" };
  const first = await startKurisu({ folder, environment });
  const before = await signIn(first);
  const key = randomUUID();
  const cause = await before.say("慢慢想", key);
  await waitUntil("the request", () => asked > 0);
  expect((await before.transcript()).map(({ text }) => text)).toEqual(["慢慢想"]);
  await before.say("然后呢");
  await first.crash();
  isHeld = false;

  const second = await startKurisu({ folder, environment });
  const after = follow(second, before.cookie);
  // The page, which never had an answer, tries again.
  expect(await after.say("慢慢想", key)).toBe(cause);
  await after.hears("想好了。");
  await after.hears("嗯，我在听。");
  const texts = (await after.transcript()).map(({ text }) => text);
  for (const text of ["慢慢想", "想好了。", "然后呢", "嗯，我在听。"])
    expect(
      texts.filter((one) => one.includes(text)),
      `rows with ${text}`,
    ).toHaveLength(1);
  expect((await second.stop()).code).toBe(0);
  expect(await lookIntoStore(folder, "select count(*) as rows from inbox where platform = 'console'")).toEqual([
    { rows: 2 },
  ]);
});
