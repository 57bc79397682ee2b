import { describe, expect, it } from "vitest";
import type { ConversationMessage } from "../../src/core/conversation.ts";
import type { HitsView, MessagesView } from "../../src/console/views/chats-views.ts";
import { addChat, reply, say } from "../support/console/add-chat.ts";
import { openConsole, pathOf } from "../support/console/open-console.ts";
import { listEngines } from "../support/store-engines.ts";

const own = "telegram:bot:7";
const group = "telegram:bot:-100";

const numbered = (count: number): ConversationMessage[] =>
  Array.from({ length: count }, (_, at) => (at % 2 === 0 ? say(`word ${at + 1}`) : reply(`word ${at + 1}`)));

describe.each(listEngines())("the search on %s", (engine) => {
  it("finds words in every chat, marks them, and leads to the message", async () => {
    const { ask, read, store } = await openConsole(engine);
    const messages = [...numbered(80), say("海马体 的 Theta 节律突然掉下去"), ...numbered(60)];
    await addChat(store, { id: own, messages });
    await addChat(store, { id: group, title: "读书会", messages: [say("没有那个词", "小明", "telegram:8")] });
    const found = await read<HitsView>(`/search?q=${encodeURIComponent("theta 海马体")}`);
    expect(found).toMatchObject({ by: "words", searched: { words: ["theta", "海马体"], chats: 2, since: 1_000 } });
    expect(found.items).toHaveLength(1);
    const [hit] = found.items;
    expect(hit).toMatchObject({ session: own, chat: "林溯", who: { kind: "person", name: "林溯" }, at: 81_000 });
    expect(hit?.marks.map(([from, to]) => hit.text.slice(from, to))).toEqual(["海马体", "Theta"]);
    const page = await read<MessagesView>(pathOf(own, `/messages?hit=${hit?.hit}`));
    expect(page.at).toBe(81);
    expect(page.rows.some(({ position }) => position === 81)).toBe(true);
    expect((await ask(pathOf(group, `/messages?hit=${hit?.hit}`))).status).toBe(404);
  });

  it("marks of words that overlap do not overlap", async () => {
    const { read, store } = await openConsole(engine);
    await addChat(store, { id: own, messages: [say("海马体的节律")] });
    const [hit] = (await read<HitsView>(`/search?q=${encodeURIComponent("海马体的 马体 的节律")}`)).items;
    expect(hit?.marks).toEqual([[0, 4]]);
  });

  it("narrows by chat, by person and by time, and says what was searched when it finds nothing", async () => {
    const { ask, read, store } = await openConsole(engine);
    await addChat(store, { id: own, messages: [say("apple one"), say("apple two", "小明", "telegram:8")], at: 1_000 });
    await addChat(store, { id: group, messages: [say("apple three", "小明", "telegram:8")], at: 50_000 });
    const texts = async (query: string) => (await read<HitsView>(`/search?${query}`)).items.map(({ text }) => text);
    expect(await texts("q=apple")).toEqual(["apple three", "apple two", "apple one"]);
    expect(await texts(`q=apple&chat=${own}`)).toEqual(["apple two", "apple one"]);
    expect(await texts(`q=apple&who=${encodeURIComponent("小明")}`)).toEqual(["apple three", "apple two"]);
    expect(await texts("q=apple&who=telegram:7")).toEqual(["apple one"]);
    expect(await texts("q=apple&from=2000&to=2000")).toEqual(["apple two"]);
    expect(await read<HitsView>("/search?q=zebra")).toMatchObject({ items: [], searched: { chats: 2, since: 1_000 } });
    expect((await ask("/search")).status).toBe(400);
    expect((await ask(`/search?q=${"x".repeat(300)}`)).status).toBe(400);
  });
});
