import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { untilTestEnds } from "../support/keep-until.ts";
import { Gate } from "../support/gate.ts";
import { callTools, lastWords, resultsOfThisTurn, type ModelScript } from "../support/kurisu-process/scripted-model.ts";
import { startTelegramStory } from "../support/kurisu-process/telegram-story.ts";
import { waitUntil } from "../support/wait-until.ts";

/** A shop that writes down where orders came in. */
async function openShop() {
  const orders: string[] = [];
  const server = createServer((request, response) => {
    orders.push(request.url ?? "");
    response.setHeader("content-type", "application/json").end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  untilTestEnds(async () => void server.close());
  return { orders, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test("a change while she works loses nothing, and an approval counts only for the tool that was asked about", async () => {
  const shop = await openShop();
  const slow = new Gate();
  const script: ModelScript = async (request) => {
    const said = lastWords(request);
    if (said.includes("慢慢说")) {
      await slow.pass();
      return { content: "说完了。" };
    }
    const [, number] = /第 (\d+) 句/.exec(said) ?? [];
    if (number !== undefined) return { content: `答 ${number}。` };
    if (!said.includes("下单")) return undefined;
    if (resultsOfThisTurn(request).length > 0) return { content: "下好了。" };
    return callTools({ name: "order", arguments: { item: "书" } });
  };
  const order = (path: string, more = "") =>
    `http:\n  order:\n    description: Orders something.\n    endpoint: ${shop.url}/${path}\n    method: POST\n    arguments: { item: { description: What. } }\n${more}`;
  const story = await startTelegramStory({ script, files: { "system/tools.yaml": order("one") } });
  const running = await story.start();
  const count = () => running.stderr().match(/the configuration changed and is followed"/g)?.length ?? 0;
  const change = async (file: string, text: string) => {
    const before = count();
    story.folder.configure(`system/${file}.yaml`, text);
    await waitUntil("the change is followed", async () => count() > before);
  };

  // Everything changes under a turn at work: it is answered, once.
  story.say("慢慢说");
  await waitUntil("the model is asked", async () => story.model.requests.length === 1);
  await change("models", "limits: { total: 5m, retries: 2 }\nmodels: { small: openai:other }\n");
  await change("tools", order("one", "tools: { fetch: { timeout: 9s } }\n"));
  await change("sandbox", "enabled: false\n");
  await change("channels", "zone: Asia/Tokyo\nfiles: { count: 3 }\nlimits: { turns: { all: 3 } }\n");
  slow.open();
  await story.hear("说完了。");
  story.say("/status");
  await story.hear(/^沙箱：.*关/m);

  // The way out changes between message and answer: in order, none lost, none twice.
  for (const number of [1, 2, 3, 4]) {
    story.say(`第 ${number} 句`);
    const pace = number % 2 === 0 ? "{ chat: 0, group: 0, all: 0 }" : "{ chat: 20, burst: 2, all: 25 }";
    await change("channels", `telegram: { pace: ${pace}, documentAfter: ${number} }\n`);
    await story.hear(`答 ${number}。`);
  }
  expect(story.said().filter((text) => text.startsWith("答 "))).toEqual(["答 1。", "答 2。", "答 3。", "答 4。"]);

  // What has nothing to do with it leaves a question open.
  story.say("下单");
  const first = await story.hearQuestion();
  await change("tools", order("one", "tools: { fetch: { timeout: 8s, hosts: [example.com] } }\n"));
  story.say(`确认 ${first.code}`);
  await story.hear("下好了。");
  expect(shop.orders).toEqual(["/one"]);

  // The tool itself leads elsewhere: the question is closed and a yes comes too late; asked anew, the new one runs.
  story.say("下单");
  const second = await story.hearQuestion();
  await change("tools", order("two"));
  await story.hear(new RegExp(`权限或工具的设置变了，${second.code} 已作废`));
  story.say(`确认 ${second.code}`);
  await story.hear(new RegExp(second.code));
  story.say("下单");
  const third = await story.hearQuestion();
  expect(third.text).toContain("/two");
  story.say(`确认 ${third.code}`);
  await story.hear("下好了。");
  expect(shop.orders).toEqual(["/one", "/two"]);
  expect(story.said().filter((text) => text.includes("要重启才生效"))).toEqual([]);
});
