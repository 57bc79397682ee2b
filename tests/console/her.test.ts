import { afterEach, describe, expect, it } from "vitest";
import type {
  ForgottenMemoryView,
  MemoriesView,
  MemorySourcesView,
  MemoryView,
  PeopleView,
  RemindersView,
} from "../../src/console/views/her-views.ts";
import { remember } from "../../src/features/memory/people/remember.ts";
import { findMemoryScope } from "../../src/features/memory/scope.ts";
import { startConsoleBeside } from "../support/console/console-beside.ts";
import { findTraces } from "../support/find-traces.ts";
import { TestGateway } from "../support/gateway.ts";
import { createStorePlace, listEngines } from "../support/store-engines.ts";

let kurisu: TestGateway | undefined;
afterEach(async () => {
  await kurisu?.dispose();
  kurisu = undefined;
});

describe.each(listEngines())("what she knows of people, on %s", (engine) => {
  async function begin() {
    const place = await createStorePlace(engine);
    const running = (kurisu = new TestGateway({ place }));
    running.model.script = () => ({ text: "知道了。" });
    await running.start();
    const server = await startConsoleBeside(running);
    const cookie = await server.addLogin("owner");
    const ask = async (method: string, path: string, body?: object) => {
      const asked = { method, path: `/api${path}`, headers: { cookie: `${cookie}; kurisu_language=en` } };
      const { status, text } = await server.ask({ ...asked, ...(body && { body }) });
      return { status, text, view: (text === "" ? undefined : JSON.parse(text)) as unknown };
    };
    const list = async (person: string, query = "") =>
      ((await ask("GET", `/people/${encodeURIComponent(person)}/memories${query}`)).view as MemoriesView).items;
    const remembered = async (person: string, query = "") =>
      (await list(person, query)).filter((one): one is MemoryView => !("isForgotten" in one));
    /** Not in a message: the memory is the only place of these words. */
    const keep = async (content: string, session = "") => {
      const isGroup = session !== "";
      const scope = await findMemoryScope(running.store.main, {
        person: { id: "fake:alice", name: "Alice" },
        session,
        chatKind: isGroup ? "group" : "private",
        persona: "kurisu",
      });
      const fact = { category: "fact", content, taint: "user", origin: "said", now: running.clock.now() } as const;
      const kept = await remember(running.store.main, scope, fact);
      if (kept.kind === "refused") throw new Error(kept.why);
      return kept.id;
    };
    return { running, place, server, ask, list, remembered, keep };
  }

  it("lists people with counts, and a memory leads to the words that it comes from", async () => {
    const { running, ask, remembered } = await begin();
    await running.say("我住在东京", { user: "alice" });
    await running.say("今天天气如何", { user: "bob" });
    const { items } = (await ask("GET", "/people")).view as PeopleView;
    expect(Object.fromEntries(items.map(({ id, memories }) => [id, memories]))).toEqual({
      "fake:alice": 1,
      "fake:bob": 0,
    });
    const [home, ...others] = await remembered("fake:alice");
    expect(others).toEqual([]);
    expect(home).toMatchObject({ text: "我住在东京", origin: "said", confidence: 0.8, isPinned: false, uses: 0 });
    const { said, events } = (await ask("GET", `/memories/${home?.id ?? 0}/sources`)).view as MemorySourcesView;
    expect(said).toMatchObject({ text: "我住在东京", session: expect.stringContaining("fake:") as string });
    expect(events.map(({ kind }) => kind)).toEqual(["remembered"]);
    const { text } = await ask("GET", `/search?q=${encodeURIComponent("东京")}`);
    expect((JSON.parse(text) as { items: { hit: number }[] }).items[0]?.hit).toBe(said?.hit);
  });

  it("a correction takes the place of a memory, which stays in its history with its pin", async () => {
    const { server, ask, remembered, keep } = await begin();
    const id = await keep("她的猫叫 Felix");
    expect((await ask("PUT", `/memories/${id}`, { pinned: true })).status).toBe(204);
    expect((await remembered("fake:alice"))[0]).toMatchObject({ id, isPinned: true });
    expect((await ask("PUT", `/memories/${id}`, { text: "她的猫叫 Momo" })).status).toBe(200);
    const [now, ...others] = await remembered("fake:alice");
    expect(others).toEqual([]);
    expect(now).toMatchObject({ text: "她的猫叫 Momo", before: "她的猫叫 Felix", origin: "command", isPinned: true });
    const { before } = (await ask("GET", `/memories/${now?.id ?? 0}/sources`)).view as MemorySourcesView;
    expect(before.map(({ text }) => text)).toEqual(["她的猫叫 Felix"]);
    expect((await ask("PUT", `/memories/${now?.id ?? 0}`, { pinned: false })).status).toBe(204);
    for (const action of ["memory.pinned", "memory.corrected", "memory.unpinned"])
      expect(await server.audited()).toContainEqual(
        expect.objectContaining({ action, actor: "console:owner", login: "login_owner", person: "fake:alice" }),
      );
  });

  it("refuses a correction of what is gone, without words, too long or like a password", async () => {
    const { ask, keep } = await begin();
    const id = await keep("她养了一只猫");
    const correct = async (text: string, of = id) => ask("PUT", `/memories/${of}`, { text });
    expect((await correct("她搬家了", 9_999)).status).toBe(404);
    expect((await correct("  ")).text).toContain("no words");
    expect((await correct("长".repeat(501))).text).toContain("one sentence");
    expect((await correct("我的密码是 hunter2xyz!")).text).toContain("password manager");
    expect((await ask("PUT", `/memories/${id}`, { pinned: "yes" })).status).toBe(400);
    expect((await ask("PUT", "/memories/9999", { pinned: true })).status).toBe(404);
    expect((await ask("GET", "/memories/9999/sources")).status).toBe(404);
    expect((await ask("GET", "/people/fake%3Aalice/memories?cursor=x")).status).toBe(400);
  });

  it("a correction that says what she remembers already leaves one of the two", async () => {
    const { ask, remembered, keep } = await begin();
    const right = await keep("她在学德语");
    const wrong = await keep("她养了一只猫");
    const put = async (id: number, text: string) => ask("PUT", `/memories/${id}`, { text });
    const { view } = await put(right, "她在学法语");
    const { id } = view as { id: number };
    expect((await put(wrong, "她在学法语")).view).toEqual({ id });
    expect((await put(id, "她在学法语")).view).toEqual({ id });
    expect((await remembered("fake:alice")).map((one) => [one.id, one.text])).toEqual([[id, "她在学法语"]]);
    const { before } = (await ask("GET", `/memories/${id}/sources`)).view as MemorySourcesView;
    expect(before.map(({ text }) => text).toSorted()).toEqual(["她养了一只猫", "她在学德语"].toSorted());
  });

  it("a correction of what was said in a group stays in that group", async () => {
    const { ask, remembered, keep } = await begin();
    const id = await keep("她喜欢茉莉花茶", "fake:bot:club");
    await ask("PUT", `/memories/${id}`, { text: "她喜欢乌龙茶" });
    const [now, ...others] = await remembered("fake:alice");
    expect(others).toEqual([]);
    expect(now).toMatchObject({ text: "她喜欢乌龙茶", chat: "fake:bot:club" });
  });

  it("a forgotten memory leaves no word of it or of its older versions, and only that it was is listed", async () => {
    const { running, place, server, ask, list, keep } = await begin();
    const words = ["Felixqx 鹿鶤", "Momoqx 鹿鷍"];
    const id = await keep(`猫的名字 ${words[0] ?? ""}`);
    await ask("PUT", `/memories/${id}`, { text: `猫的名字 ${words[1] ?? ""}` });
    const marks = words.flatMap((word) => word.split(" "));
    expect(await findTraces(running.store, place.home, marks)).not.toEqual([]);
    const newest = (await list("fake:alice"))[0]?.id ?? 0;
    const { view } = await ask("DELETE", `/memories/${newest}`);
    expect(view).toEqual({ memories: 2, stay: [] } satisfies ForgottenMemoryView);
    expect(await findTraces(running.store, place.home, marks)).toEqual([]);
    expect(await list("fake:alice")).toEqual([{ id: newest, isForgotten: true, at: expect.any(Number) as number }]);
    expect((await ask("DELETE", `/memories/${newest}`)).status).toBe(404);
    expect((await ask("GET", `/memories/${newest}/sources`)).status).toBe(404);
    expect(await server.audited()).toContainEqual(
      expect.objectContaining({ action: "memory.forgotten", login: "login_owner", memories: 2 }),
    );
  });

  it("memories come in pages, and words find the ones that fit", async () => {
    const { ask, remembered, keep } = await begin();
    for (let at = 1; at <= 60; at += 1) await keep(`她去过第 ${at} 座城市${at === 7 ? "，那里有钟楼" : ""}`);
    const first = (await ask("GET", "/people/fake%3Aalice/memories")).view as MemoriesView;
    expect(first.items).toHaveLength(50);
    const rest = await remembered("fake:alice", `?cursor=${first.next ?? ""}`);
    expect(new Set([...first.items, ...rest].map(({ id }) => id)).size).toBe(60);
    expect((await remembered("fake:alice", `?q=${encodeURIComponent("钟楼")}`))[0]?.text).toContain("钟楼");
    expect(await remembered("fake:bob")).toEqual([]);
  });

  it("hands over all that is kept of a person, and erases it only for the typed name", async () => {
    const { running, server, ask, list } = await begin();
    await running.say("我住在东京", { user: "alice" });
    await running.say("我住在大阪", { user: "bob" });
    const person = ((await ask("GET", "/people")).view as PeopleView).items.find(({ id }) => id === "fake:alice");
    const exported = await ask("POST", "/people/fake%3Aalice/export", {});
    expect(exported.view).toMatchObject({ format: "kurisu-person", accounts: ["fake:alice"] });
    expect(exported.text).toContain("东京");
    expect(exported.text).not.toContain("大阪");
    const refused = await ask("POST", "/people/fake%3Aalice/erase", { name: "bob" });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("Type the name")]);
    expect(await list("fake:alice")).toHaveLength(1);
    const erased = await ask("POST", "/people/fake%3Aalice/erase", { name: person?.name ?? "" });
    expect(erased.view).toMatchObject({ counts: { memories: 1 } });
    const left = ((await ask("GET", "/people")).view as PeopleView).items.map(({ id }) => id);
    expect(left).toEqual(["fake:bob"]);
    expect((await ask("POST", "/people/fake%3Aalice/erase", { name: "alice" })).status).toBe(404);
    expect((await ask("POST", "/people/fake%3Aalice/export", {})).status).toBe(404);
    const audited = await server.audited();
    for (const action of ["person.exported", "person.erasure-ordered", "person.erased"])
      expect(audited).toContainEqual(expect.objectContaining({ action, actor: "console:owner" }));
    expect(audited.filter((row) => "login" in row)).toHaveLength(2);
  });

  it("lists the reminders of all people, gives one another time in words, and cancels it", async () => {
    const { running, server, ask } = await begin();
    await running.say("/remind 每周一 9:00 开组会", { user: "alice" });
    await running.say("/remind 2 小时后 喝水", { user: "bob" });
    const read = async () => ((await ask("GET", "/reminders")).view as RemindersView).items;
    const [water, meeting] = await read();
    expect(water).toMatchObject({ text: "喝水", isTask: false, platform: "fake" });
    expect(meeting).toMatchObject({ text: "开组会", repeats: expect.stringMatching(/Monday/) as string });
    const path = `/reminders/${water?.id ?? ""}`;
    const past = await ask("PUT", path, { time: "yesterday 9:00" });
    expect([past.status, past.text]).toEqual([400, expect.stringMatching(/past|already|over/i)]);
    expect((await ask("PUT", path, { time: "" })).status).toBe(400);
    expect((await ask("PUT", path, { time: "in 3 hours" })).status).toBe(204);
    const moved = (await read()).find(({ id }) => id === water?.id);
    expect((moved?.at ?? 0) - running.clock.now()).toBe(3 * 3_600_000);
    expect(moved?.text).toBe("喝水");
    expect((await ask("DELETE", path)).status).toBe(204);
    expect((await ask("DELETE", path)).status).toBe(404);
    expect((await ask("PUT", path, { time: "in 3 hours" })).status).toBe(404);
    expect((await read()).map(({ text }) => text)).toEqual(["开组会"]);
    for (const action of ["reminder.changed", "reminder.cancelled"])
      expect(await server.audited()).toContainEqual(
        expect.objectContaining({ action, actor: "console:owner", login: "login_owner", person: "fake:bob" }),
      );
  });
});
