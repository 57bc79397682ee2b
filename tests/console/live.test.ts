import { expect, it, describe } from "vitest";
import { pino } from "pino";
import type { WatchedView } from "../../src/kernel/turns/live-watch.ts";
import { createLiveWatch } from "../../src/kernel/turns/live-watch.ts";
import { startConsoleServer } from "../support/console/console-server.ts";
import { openStream, type OpenStream } from "../support/console/open-stream.ts";
import { addSession } from "../support/test-store.ts";
import { waitUntil } from "../support/wait-until.ts";

const her = "telegram:bot:7";
const other = "telegram:bot:8";

/** A turn whose text is that of the test, and the number of views made of it. */
function beginTurn(watch: ReturnType<typeof createLiveWatch>, session: string, turn: string) {
  const state = { text: "", tools: [] as WatchedView["tools"], looks: 0 };
  const watched = watch.begin(session, turn, async () => {
    state.looks += 1;
    return { turn, text: state.text, tools: state.tools };
  });
  return {
    ...watched,
    looks: () => state.looks,
    say(text: string, tools: WatchedView["tools"] = []) {
      state.text = text;
      state.tools = tools;
      watched.changed();
    },
  };
}

async function openWatched() {
  const liveWatch = createLiveWatch(pino({ level: "silent" }));
  const server = await startConsoleServer({ liveWatch });
  const cookie = await server.addLogin("owner");
  const watch = async (session: string, after?: string): Promise<OpenStream> => {
    const place = after === undefined ? "" : `&after=${after}`;
    const stream = await openStream(server, cookie, undefined, `?session=${encodeURIComponent(session)}${place}`);
    await waitUntil("the first event", () => stream.events.length > 0);
    return stream;
  };
  return { liveWatch, server, watch, plain: () => openStream(server, cookie) };
}

const lives = ({ events }: OpenStream) => events.filter(({ kind }) => kind.startsWith("live"));
const words = (stream: OpenStream) => lives(stream).map(({ data }) => JSON.stringify(data["blocks"] ?? data));
const paragraph = (text: string) => JSON.stringify([{ kind: "paragraph", inside: [{ kind: "text", text }] }]);

describe("a running turn on the stream of events", () => {
  it("a running turn is shown to pages that watch its conversation and to no other, and its end is told", async () => {
    const { liveWatch, plain, watch } = await openWatched();
    const [hers, others, none] = [await watch(her), await watch(other), await plain()];
    const turn = beginTurn(liveWatch, her, "turn_1");
    turn.say("我在看");
    await waitUntil("the view", () => words(hers).includes(paragraph("我在看")));
    turn.end();
    await waitUntil("the end", () => lives(hers).some(({ kind }) => kind === "live-end"));
    expect(lives(hers).at(-1)).toEqual({
      kind: "live-end",
      id: undefined,
      data: { session: her, turn: "turn_1" },
    });
    expect(lives(hers)[0]).toMatchObject({ id: undefined, data: { session: her, turn: "turn_1", steps: [] } });
    expect([...lives(others), ...lives(none)]).toEqual([]);
  });

  it("a page that opens in the middle sees the newest view at once, and one that opens after the end sees none", async () => {
    const { liveWatch, watch } = await openWatched();
    const turn = beginTurn(liveWatch, her, "turn_1");
    turn.say("一");
    turn.say("一二");
    const late = await watch(her);
    await waitUntil("the view", () => lives(late).length > 0);
    expect(words(late)).toEqual([paragraph("一二")]);
    turn.end();
    await waitUntil("the end", () => lives(late).length > 1);
    const after = await watch(her);
    beginTurn(liveWatch, her, "turn_2").say("下一轮");
    await waitUntil("the next turn", () => lives(after).length > 0);
    expect(lives(after)[0]?.data["turn"]).toBe("turn_2");
  });

  it("only some views of many changes are made, and the last one is shown", async () => {
    const { liveWatch, watch } = await openWatched();
    const stream = await watch(her);
    const turn = beginTurn(liveWatch, her, "turn_1");
    for (let at = 1; at <= 500; at += 1) {
      turn.say(`字 ${at}`);
      if (at % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await waitUntil("the last view", () => words(stream).includes(paragraph("字 500")));
    expect(turn.looks()).toBeLessThan(20);
    expect(lives(stream)).toHaveLength(turn.looks());
  });

  it("a turn makes no live view before the first page is open and after the last one is closed", async () => {
    const { liveWatch, plain, watch } = await openWatched();
    await plain();
    const turn = beginTurn(liveWatch, her, "turn_1");
    turn.say("没人看");
    expect([turn.isWatched(), turn.looks()]).toEqual([false, 0]);
    const stream = await watch(her);
    await waitUntil("the view", () => lives(stream).length > 0);
    stream.cut();
    await waitUntil("the page to be gone", () => !turn.isWatched());
    const made = turn.looks();
    turn.say("还是没人看");
    expect(turn.looks()).toBe(made);
  });

  it("a view that cannot be made reaches neither the turn nor the next view", async () => {
    const { liveWatch, watch } = await openWatched();
    const stream = await watch(her);
    let isBroken = true;
    const turn = liveWatch.begin(her, "turn_1", () =>
      isBroken ? Promise.reject(new Error("no view")) : Promise.resolve({ turn: "turn_1", text: "好了", tools: [] }),
    );
    turn.changed();
    isBroken = false;
    turn.changed();
    await waitUntil("the view", () => words(stream).includes(paragraph("好了")));
    expect(lives(stream)).toHaveLength(1);
  });

  it("steps have the names that people use, and nothing in them is markup or cannot be seen", async () => {
    const { liveWatch, watch } = await openWatched();
    const stream = await watch(her);
    const turn = beginTurn(liveWatch, her, "turn_1");
    turn.say("<b>粗</b>\u202e", [
      { id: "c1", name: "file_read", summary: "notes.txt", phrase: "在读", status: "done", timingMs: 12 },
      { id: "c2", name: "shell", summary: "ls\n\u202e/", phrase: "在跑", status: "started", note: "3\u200b 行" },
      { id: "c3", name: "shell", summary: "false", phrase: "", status: "done", ended: { code: 1, late: false } },
      { id: "c4", name: "shell", summary: "l", phrase: "", status: "writing", agent: "explorer" },
    ]);
    await waitUntil("the view", () => lives(stream).length > 0);
    const { blocks, steps } = lives(stream)[0]?.data ?? {};
    expect(steps).toEqual([
      { call: "c1", tool: "读", argument: "notes.txt", state: "done", ms: 12 },
      { call: "c2", tool: "shell", argument: "ls ⟨U+202E⟩/", state: "open", note: "3⟨U+200B⟩ 行" },
      { call: "c3", tool: "shell", argument: "false", state: "failed" },
      { call: "c4", tool: "shell", argument: "l", state: "writing", agent: "explorer" },
    ]);
    expect(JSON.stringify(blocks)).toContain("<b>");
    expect(JSON.stringify(blocks)).not.toContain("\u202e");
  });

  it("a page that turns to another conversation goes on behind the last event that it had", async () => {
    const { server, watch } = await openWatched();
    const first = await watch(her);
    await addSession(server.store, "before");
    await waitUntil("the change", () => first.events.some(({ data }) => data["id"] === "before"));
    const place = first.lastId() ?? "";
    first.cut();
    await addSession(server.store, "between");
    const second = await watch(other, place);
    await waitUntil("what came between", () => second.events.some(({ kind }) => kind === "stale"));
    expect(second.events.filter(({ kind }) => kind !== "hello").map(({ data }) => data["id"])).toEqual(["between"]);
    const strange = await watch(other, "1%20or%201=1");
    await waitUntil("the reset", () => strange.events.some(({ kind }) => kind === "reset"));
  });
});
