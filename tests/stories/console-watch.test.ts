import { expect, test } from "vitest";
import type { MessagesView, SessionSettingsView } from "../../src/console/views/chats-views.ts";
import type { LiveEvent } from "../../src/console/views/stream-views.ts";
import { lookIntoStore } from "../support/kurisu-process/look-into-store.ts";
import { startOneBotStory } from "../support/kurisu-process/onebot-story.ts";
import { callTools, lastWords, resultsOfThisTurn, type ModelScript } from "../support/kurisu-process/scripted-model.ts";
import type { RunningKurisu } from "../support/kurisu-process/start-kurisu.ts";
import { openStream, type OpenStream } from "../support/console/open-stream.ts";
import { waitUntil } from "../support/wait-until.ts";

const long = "海马体里的 ripple 每次都在同一处断开，我把那一段又看了一遍。".repeat(6);

/** 看一下: a tool first, then many words. 一直说: words without an end in sight. */
const talk: ModelScript = (request) => {
  const words = lastWords(request);
  if (words === "看一下" && resultsOfThisTurn(request).length === 0) return callTools({ name: "time", arguments: {} });
  if (words === "看一下") return { content: long };
  return words === "一直说" ? { content: long.repeat(20) } : undefined;
};

async function signIn(kurisu: RunningKurisu) {
  const [code = ""] = /\b[2-9A-Z]{4}-[2-9A-Z]{4}\b/.exec(kurisu.stdout()) ?? [];
  const headers = { "content-type": "application/json", "x-kurisu": "1", origin: kurisu.url };
  const entered = await fetch(`${kurisu.url}/api/login`, { method: "POST", headers, body: JSON.stringify({ code }) });
  expect(entered.status).toBe(204);
  const cookie = entered.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  return {
    ask: (path: string, method = "GET", body?: object) =>
      fetch(`${kurisu.url}/api${path}`, {
        method,
        headers: { ...headers, cookie },
        ...(body && { body: JSON.stringify(body) }),
      }),
    watch: (session: string) =>
      openStream({ port: Number(new URL(kurisu.url).port) }, cookie, undefined, `?session=${session}`),
  };
}

const views = ({ events }: OpenStream) =>
  events.filter(({ kind }) => kind === "live").map(({ data }) => data as unknown as LiveEvent);
const ends = ({ events }: OpenStream) => events.filter(({ kind }) => kind === "live-end").length;
const textOf = ({ blocks }: LiveEvent): string =>
  blocks
    .flatMap((block) => ("inside" in block ? block.inside : []))
    .map((span) => ("text" in span ? span.text : ""))
    .join("");

test("a turn in QQ, which shows nothing of it, is seen in the console while it runs; stopped there, the chat hears of it as after /stop", async () => {
  const story = await startOneBotStory("reverse", { script: talk, chunkMs: 40 });
  const kurisu = await story.start();
  story.say("在吗");
  await story.hear("嗯，我在听。");
  const { ask, watch } = await signIn(kurisu);
  const list = (await (await ask("/sessions")).json()) as { readonly items: readonly { readonly id: string }[] };
  const id = encodeURIComponent(list.items[0]?.id ?? "");
  const stream = await watch(id);

  story.say("看一下");
  await waitUntil("the growing text", () => views(stream).filter((view) => textOf(view) !== "").length > 2);
  const lengths = views(stream).map((view) => textOf(view).length);
  expect(lengths).toEqual(lengths.toSorted((one, other) => one - other));
  expect(views(stream).at(-1)?.steps).toMatchObject([{ state: "done" }]);
  expect(story.said("private:4242")).toHaveLength(1);
  // A page that comes in the middle sees as much.
  const late = await watch(id);
  await waitUntil("the view of the second page", () => views(late).length > 0);
  await waitUntil("the end of the turn", () => ends(stream) > 0);
  await story.hear(long);
  const stored = (await (await ask(`/sessions/${id}/messages`)).json()) as MessagesView;
  const last = stored.rows.at(-1);
  expect([last?.turn, last?.who.kind]).toEqual([views(stream).at(-1)?.turn, "her"]);
  expect(long.startsWith(textOf(views(stream).at(-1) as LiveEvent))).toBe(true);

  story.say("一直说");
  await waitUntil("the next turn", () => views(stream).at(-1)?.turn !== last?.turn);
  const stopped = await ask(`/sessions/${id}/stop`, "POST", {});
  expect([stopped.status, await stopped.json()]).toEqual([200, { stopped: true }]);
  await story.hear(/停下/);
  await waitUntil("the end of the second turn", () => ends(stream) > 1);
  expect(await (await ask(`/sessions/${id}/stop`, "POST", {})).json()).toEqual({ stopped: false });
  await story.quiet();
  expect(story.said("private:4242").some((text) => text.includes(long.repeat(2)))).toBe(false);
  const audited = await lookIntoStore(
    story.folder,
    "select actor, session from audit where action = 'session.stopped' order by seq",
  );
  expect(audited).toEqual([{ actor: "console:owner", session: list.items[0]?.id }]);
});

test("the menu of a conversation does what the commands there do, and gives what was said as a file", async () => {
  const story = await startOneBotStory("reverse", {});
  const kurisu = await story.start();
  story.say("在吗");
  await story.hear("嗯，我在听。");
  const { ask } = await signIn(kurisu);
  const list = (await (await ask("/sessions")).json()) as { readonly items: readonly { readonly id: string }[] };
  const path = `/sessions/${encodeURIComponent(list.items[0]?.id ?? "")}`;

  const before = (await (await ask(`${path}/settings`)).json()) as SessionSettingsView;
  expect(before).toMatchObject({ mode: "act", language: null, model: null, busy: null, canSteer: true });
  const model = before.models[0] ?? "";
  const chosen = await ask(`${path}/settings`, "PUT", { mode: "plan", language: "en", model, busy: "interrupt" });
  expect(await chosen.json()).toEqual({ ...before, mode: "plan", language: "en", model, busy: "interrupt" });
  story.say("/busy");
  await story.hear(/interrupt/i);
  const unknown = await ask(`${path}/settings`, "PUT", { mode: "act", model: "openai:none" });
  expect([unknown.status, await unknown.json()]).toEqual([
    400,
    { code: "invalid", message: expect.stringContaining("模型") },
  ]);
  // All of it or nothing.
  expect(await (await ask(`${path}/settings`)).json()).toMatchObject({ mode: "plan", model });

  for (const [format, type, form] of [
    ["markdown", "text/markdown; charset=utf-8", /^- \d{4}-[\s\S]*嗯，我在听。/],
    ["json", "application/json; charset=utf-8", /^\[\n\{"at":"[\s\S]*嗯，我在听。/],
  ] as const) {
    const file = await ask(`${path}/export?format=${format}`);
    expect(file.headers.get("content-type")).toBe(type);
    expect(file.headers.get("content-disposition")).toMatch(
      /^attachment; filename="kurisu-\d{4}-\d\d-\d\d\.(?:md|json)"$/,
    );
    expect(await file.text()).toMatch(form);
  }
  expect((await ask(`${path}/export?format=html`)).status).toBe(400);

  expect((await ask(`${path}/new`, "POST", {})).status).toBe(204);
  await story.hear(/fresh start/);
  const { start, total } = (await (await ask(`${path}/messages`)).json()) as MessagesView;
  expect(start).toBe(total);
  expect(
    await lookIntoStore(story.folder, "select action, actor from audit where action like 'session.%' order by seq"),
  ).toEqual([
    { action: "session.chosen", actor: "console:owner" },
    { action: "session.started-over", actor: "console:owner" },
  ]);
  for (const [method, end, body] of [
    ["POST", "stop", {}],
    ["POST", "new", {}],
    ["PUT", "settings", { mode: "act" }],
    ["GET", "settings", undefined],
  ] as const)
    expect((await ask(`/sessions/nothing/${end}`, method, body)).status, `${method} ${end}`).toBe(404);
});
