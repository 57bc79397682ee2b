// full: several starts of the program on one Postgres database
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MessagesView, SessionsView } from "../../src/console/views/chats-views.ts";
import type { OwnFileView, SaidView } from "../../src/console/views/talk-views.ts";
import type { NodeRole } from "../../src/store/engines/open-cluster.ts";
import { openStream, type OpenStream } from "../support/console/open-stream.ts";
import { keepWith, type KeepUntil } from "../support/keep-until.ts";
import { startEditor } from "../support/kurisu-process/editor.ts";
import { runOnce } from "../support/kurisu-process/run-once.ts";
import { callTools, lastWords, resultsOfThisTurn, type ModelScript } from "../support/kurisu-process/scripted-model.ts";
import type { SpawnOptions } from "../support/kurisu-process/spawn-kurisu.ts";
import type { RunningKurisu } from "../support/kurisu-process/start-kurisu.ts";
import { startTelegramStory, type TelegramStory } from "../support/kurisu-process/telegram-story.ts";
import { postgresIsThere } from "../support/postgres.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { waitUntil } from "../support/wait-until.ts";

const apiToken = "ibn5100-divergence-1.048596";
const long = "海马体里的 ripple 每次都在同一处断开，我把那一段又看了一遍。".repeat(6);

const script: ModelScript = (request) => {
  const said = lastWords(request);
  const [result] = resultsOfThisTurn(request);
  const [path = ""] = /inbox\/[^（[\]]+/.exec(said) ?? [];
  if (said.includes("慢慢说")) return { content: long };
  const [, repeated] = /复述：(\d)/.exec(said) ?? [];
  if (repeated !== undefined) return { content: `你说的是：${repeated}` };
  if (said.includes("写下来"))
    return result === undefined
      ? callTools({ name: "file_write", arguments: { path: "note.txt", content: "一" } })
      : { content: "写好了。" };
  if (!said.includes("读完还我")) return undefined;
  if (result === undefined) return callTools({ name: "file_read", arguments: { path } });
  if (resultsOfThisTurn(request).length === 1) return callTools({ name: "send_file", arguments: { path } });
  const { output } = JSON.parse(result) as { readonly output?: { readonly content?: string } };
  return { content: `上面写着：${output?.content ?? "什么都没有"}` };
};

const findCode = (text: string) => /\b[2-9A-Z]{4}-[2-9A-Z]{4}\b/.exec(text)?.[0] ?? "";

/** A browser that is signed in at this process, with the code that it printed by default. */
async function signIn(kurisu: RunningKurisu, code = findCode(kurisu.stdout())) {
  const headers = { "content-type": "application/json", "x-kurisu": "1", origin: kurisu.url };
  const entered = await fetch(`${kurisu.url}/api/login`, { method: "POST", headers, body: JSON.stringify({ code }) });
  expect(entered.status).toBe(204);
  const cookie = entered.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const ask = (path: string, body?: string, { type = "application/json", method = "POST" } = {}) =>
    fetch(`${kurisu.url}/api${path}`, {
      headers: { ...headers, cookie, "content-type": type },
      ...(body !== undefined && { method, body }),
    });
  const rows = async (chat: string) => {
    const answer = await ask(`/sessions/${encodeURIComponent(`console:local:${chat}`)}/messages`);
    return answer.ok ? ((await answer.json()) as MessagesView).rows : [];
  };
  return {
    ask,
    rows,
    async say(chat: string, text: string, files: readonly string[] = []) {
      const body = JSON.stringify({ text, files, key: randomUUID() });
      const answer = await ask(`/chats/${chat}/messages`, body);
      return (await answer.json()) as SaidView;
    },
    async put(name: string, content: string) {
      const answer = await ask(`/files?name=${name}`, content, { type: "application/octet-stream" });
      expect(answer.status).toBe(201);
      return (await answer.json()) as OwnFileView;
    },
    hears: (chat: string, words: string) =>
      waitUntil(words, async () => (await rows(chat)).some(({ blocks }) => JSON.stringify(blocks).includes(words))),
    watch: (chat: string) =>
      openStream(
        { port: Number(new URL(kurisu.url).port) },
        cookie,
        undefined,
        `?session=${encodeURIComponent(`console:local:${chat}`)}`,
      ),
  };
}

const countOf = ({ events }: OpenStream, wanted: string) => events.filter(({ kind }) => kind === wanted).length;

describe.runIf(postgresIsThere())("clients of a gateway whose turns run at a worker", () => {
  let story: TelegramStory;
  let gateway: RunningKurisu;
  let worker: RunningKurisu;
  let page: Awaited<ReturnType<typeof signIn>>;
  const ends = new AsyncDisposableStack();
  const keep: KeepUntil = (end) => ends.defer(async () => end());
  /** Programs of their data folders. */
  let atGateway: SpawnOptions;
  let atWorker: SpawnOptions;

  beforeAll(() =>
    keepWith(keep, async () => {
      story = await startTelegramStory({
        engine: "postgres",
        files: { "system/console.yaml": "members: true\n" },
        script,
        chunkMs: 40,
        keep,
      });
      const start = async (role: NodeRole, home: string) =>
        story.start({ role, environment: { KURISU_HOME: home, KURISU_API_TOKEN: apiToken } });
      const home = await createTemporaryFolder();
      gateway = await start("gateway", home);
      page = await signIn(gateway);
      const homeOfWorker = await createTemporaryFolder();
      worker = await start("worker", homeOfWorker);
      const { folder, model } = story;
      const at = (KURISU_HOME: string): SpawnOptions => ({
        folder,
        environment: { ...model.environment, KURISU_HOME, DATABASE_URL: folder.url ?? "" },
      });
      atGateway = at(home);
      atWorker = at(homeOfWorker);
    }),
  );
  afterAll(() => ends.disposeAsync());

  it("a page shows the running turn, and its end", async () => {
    await page.say("one", "你好");
    await page.hears("one", "嗯，我在听。");
    const stream = await page.watch("one");
    await page.say("one", "慢慢说");
    await waitUntil("the growing text", () => countOf(stream, "live") > 2);
    await waitUntil("the end of the turn", () => countOf(stream, "live-end") > 0);
    await page.hears("one", long);
    expect(countOf(stream, "live-end")).toBe(1);
  });

  it("a file of a page is read at the worker, and the one that comes back can be fetched", async () => {
    const { id } = await page.put("notes.txt", "明天十二点。");
    await page.say("two", "读完还我", [id]);
    await page.hears("two", "已经问过");
    await page.say("two", "确认");
    await page.hears("two", "上面写着：明天十二点。");
    const sent = (await page.rows("two")).flatMap(({ files, who }) => (who.kind === "her" ? files : []));
    expect(sent).toHaveLength(1);
    expect(await (await page.ask(`/files/${sent[0]?.id}`)).text()).toBe("明天十二点。");
  });

  it("a conversation that is deleted at the worker's page takes its files at the gateway with it", async () => {
    const { id } = await page.put("notes.txt", "明天十二点。");
    await page.say("gone", "你好", [id]);
    await page.hears("gone", "嗯，我在听。");
    expect((await page.ask(`/files/${id}`)).status).toBe(200);
    const { ask } = await signIn(worker);
    const { items } = (await (await ask("/sessions")).json()) as SessionsView;
    const name = items.find((one) => one.id === "console:local:gone")?.name;
    const path = `/sessions/${encodeURIComponent("console:local:gone")}`;
    await waitUntil("its end", async () => {
      return (await ask(path, JSON.stringify({ name }), { method: "DELETE" })).status === 204;
    });
    expect((await page.ask(`/files/${id}`)).status).toBe(404);
  });

  it("a code that a worker said in a chat opens the gateway's page", async () => {
    story.say("/console");
    const { text } = await story.hear(/登录码是/);
    const { ask } = await signIn(gateway, findCode(text));
    expect(await (await ask("/me")).json()).toMatchObject({ authed: true, role: "owner" });
  });

  it("a terminal sees the words as they come", async () => {
    const { code, lines, reply } = await runOnce("慢慢说", atGateway);
    expect([code, reply]).toEqual([0, long]);
    expect(lines.filter(({ type }) => type === "delta").length).toBeGreaterThan(1);
  });

  it("terminals of one chat at two processes each get the answer to their own line", async () => {
    const ask = async (text: string, place: SpawnOptions) => runOnce(text, { ...place, more: ["--session", "shared"] });
    const places = [atGateway, atWorker, atGateway, atWorker];
    const answers = await Promise.all(places.map((place, index) => ask(`复述：${index}`, place)));
    expect(answers.map(({ reply }) => reply)).toEqual(places.map((_, index) => `你说的是：${index}`));
  });

  it("requests of one conversation at two processes each get the answer to their own message", async () => {
    const ask = async ({ url }: RunningKurisu, text: string) => {
      const headers = { "content-type": "application/json", authorization: `Bearer ${apiToken}` };
      const body = JSON.stringify({ model: "kurisu", messages: [{ role: "user", content: text }] });
      const answer = await fetch(`${url}/v1/chat/completions`, { method: "POST", headers, body });
      const { choices } = (await answer.json()) as { readonly choices: readonly [{ readonly message: object }] };
      return choices[0].message;
    };
    const places = [gateway, worker, gateway, worker];
    const answers = await Promise.all(places.map((place, index) => ask(place, `复述：${index}`)));
    expect(answers).toEqual(places.map((_, index) => expect.objectContaining({ content: `你说的是：${index}` })));
  });

  it("a role that the gateway's page takes away is gone at the worker with the next message", async () => {
    const guest = { chat: 77 };
    story.say("你好", guest);
    const hint = await story.hear(/[A-Z0-9]{4}-[A-Z0-9]{4}/, guest);
    story.say(`/pair ${/[A-Z0-9]{4}-[A-Z0-9]{4}/.exec(hint.text)?.[0]}`);
    await story.hear(/可以和我聊了/);
    story.say("在吗", guest);
    await story.hear("嗯，我在听。", guest);
    await story.quiet();
    const asked = story.model.requests.length;
    const answer = await page.ask("/people/telegram%3A77/role", JSON.stringify({ role: "none" }));
    expect(await answer.json()).toEqual({ role: "guest" });
    story.say("还在吗", guest);
    await story.quiet();
    expect(story.model.requests.length).toBe(asked);
    expect(story.said(guest.chat).filter((text) => text === "嗯，我在听。")).toHaveLength(1);
  });

  it("an editor hears that its answer to a question counts", async () => {
    const editor = await startEditor(atGateway);
    const session = await editor.open({ cwd: "/home/okabe/thesis" });
    const prompt = editor.prompt(session, "写下来");
    await waitUntil("the question", () => editor.dialogs.length > 0);
    editor.dialogs[0]?.answer("approved");
    expect(await prompt).toBe("end_turn");
    expect(editor.said(session)).toContain("写好了。");
  });
});
