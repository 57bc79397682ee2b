import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createConsoleChannel } from "../../src/channels/own-chats/console-channel.ts";
import type { SessionsView } from "../../src/console/views/chats-views.ts";
import { startConsoleBeside } from "../support/console/console-beside.ts";
import { openMembers } from "../support/console/open-members.ts";
import { pathOf } from "../support/console/open-console.ts";
import { findTraces } from "../support/find-traces.ts";
import { TestGateway } from "../support/gateway.ts";
import { HandClock } from "../support/hand-clock.ts";
import { untilTestEnds } from "../support/keep-until.ts";
import { createStorePlace, listUsualEngines } from "../support/store-engines.ts";

const chat = "fake:bot:alice";

describe.each(listUsualEngines())("a conversation is deleted on %s", (engine) => {
  async function begin() {
    const place = await createStorePlace(engine);
    const opened = await openMembers({ place });
    const ask = opened.askWith(await opened.server.addLogin("owner"));
    const remove = async (name: string, session = chat) => ask("DELETE", pathOf(session), { name });
    return { ...opened, ask, remove, place };
  }

  it("its words are nowhere afterwards, those of other chats and what she remembers stay, and it begins anew", async () => {
    const { ask, keep, kurisu, place, remove, server } = await begin();
    await kurisu.say("zebracorn one", { user: "alice" });
    await kurisu.say("poke zebracorn", { user: "alice" });
    await kurisu.press(kurisu.lastPrompt(), "approve", { user: "alice" });
    await kurisu.say("apple of bob", { user: "bob" });
    const memory = await keep("alice", "likes tea");
    await kurisu.workspace.write(chat, "notes.txt", "zebracorn", "write");
    const { items } = (await ask("GET", "/sessions")).view as SessionsView;
    const name = items.find(({ id }) => id === chat)?.name ?? "";
    expect((await remove(name)).status).toBe(204);

    expect((await ask("GET", pathOf(chat, "/messages"))).view).toMatchObject({ rows: [] });
    expect((await ask("GET", "/search?q=zebracorn")).view).toMatchObject({ items: [] });
    expect((await ask("GET", "/search?q=apple")).text).toContain("apple of bob");
    expect((await kurisu.workspace.readText(chat, "notes.txt")).ok).toBe(false);
    expect((await ask("GET", `/memories/${memory}/sources`)).status).toBe(200);
    expect(await server.audited()).toContainEqual(
      expect.objectContaining({ action: "conversation.deleted", actor: "console:owner", login: "login_owner" }),
    );
    await kurisu.store.wipe();
    expect(await findTraces(kurisu.store, place.home, ["zebracorn"])).toEqual([]);
    await kurisu.say("hello again", { user: "alice" });
    expect((await ask("GET", pathOf(chat, "/messages"))).text).toContain("hello again");
  });

  it("what was granted there ends with it: the tool asks again, and no list has the grant", async () => {
    const { ask, kurisu, remove, server } = await begin();
    await kurisu.say("poke a", { user: "alice" });
    await kurisu.say("确认 30分钟", { user: "alice" });
    await kurisu.say("poke b", { user: "bob" });
    await kurisu.say("确认 30分钟", { user: "bob" });
    expect((await remove("alice")).status).toBe(204);
    expect((await ask("GET", "/grants")).view).toMatchObject({ items: [{ session: "fake:bot:bob" }] });
    expect(await server.audited()).toContainEqual(
      expect.objectContaining({ action: "grant.revoked", actor: "console:owner" }),
    );
    await kurisu.say("poke a", { user: "alice" });
    expect(kurisu.did()).toEqual(["a", "b"]);
    expect(await kurisu.questions()).toHaveLength(1);
  });

  it("nothing is deleted under another name, while a question waits there, or where there is no such conversation", async () => {
    const { ask, kurisu, remove } = await begin();
    await kurisu.say("poke a", { user: "alice" });
    expect((await remove("bob")).status).toBe(400);
    expect((await remove("alice", "fake:bot:nobody")).status).toBe(404);
    expect((await remove("alice")).status).toBe(409);
    expect(await kurisu.questions()).toHaveLength(1);
    await ask("POST", pathOf(chat, "/stop"), {});
    await kurisu.settle();
    expect((await remove("alice")).status).toBe(204);
    expect(await kurisu.questions()).toEqual([]);
  });

  async function beginOwn() {
    const place = await createStorePlace(engine);
    const ownChats = createConsoleChannel({ home: place.home, clock: new HandClock() });
    const kurisu = new TestGateway({ place, real: [ownChats] });
    untilTestEnds(() => kurisu.dispose());
    await kurisu.start();
    const server = await startConsoleBeside(kurisu, { ownChats });
    const cookie = await server.addLogin("owner");
    const ask = async (method: string, path: string, body?: object) =>
      server.ask({ method, path: `/api${path}`, headers: { cookie }, ...(body && { body }) });
    return {
      ask,
      kurisu,
      /** With a file of the owner's; answers its id. */
      async say(name: string): Promise<string> {
        const { id } = await ownChats.files.keep(Buffer.from(`file of ${name}`), `${name}.txt`);
        const body = { text: "keep this", files: [id], key: randomUUID() };
        expect((await ask("POST", `/chats/${name}/messages`, body)).status).toBe(202);
        await kurisu.settle();
        return id;
      },
      /** A file that she sends; answers its id. */
      async send(name: string): Promise<string> {
        const path = join(place.home, "hers.txt");
        await writeFile(path, "hers");
        const address = { platform: "console", account: "local", chat: name, thread: null };
        const file = { name: "hers.txt", bytes: 4, sha256: "" };
        const message = { id: `m-${name}`, kind: "file", address, text: "", plain: true, cause: "c1", file } as const;
        const sent = await ownChats.sendFile(message, path);
        return sent.kind === "sent" ? (sent.messageId ?? "") : "";
      },
      async remove(session: string): Promise<number> {
        const { items } = JSON.parse((await ask("GET", "/sessions")).text) as SessionsView;
        const name = items.find(({ id }) => id === session)?.name;
        return (await ask("DELETE", pathOf(session), { name })).status;
      },
      find: (ids: readonly string[]) => Promise.all(ids.map(async (id) => (await ask("GET", `/files/${id}`)).status)),
    };
  }

  it("the files of both sides go with an own chat, and those of the other own chats stay", async () => {
    const { ask, find, remove, say, send } = await beginOwn();
    const files = [await say("main"), await send("main"), await say("other"), await send("other")];
    expect(await find(files)).toEqual([200, 200, 200, 200]);
    expect(await remove("console:local:main")).toBe(204);
    expect(await find(files)).toEqual([404, 404, 200, 200]);
    const { text } = await ask("GET", pathOf("console:local:main", "/messages"));
    expect(JSON.parse(text)).toMatchObject({ rows: [] });
  });

  it("a second deletion removes the files that a crash left of a chat whose rows are gone", async () => {
    const { find, kurisu, remove, say, send } = await beginOwn();
    const session = "console:local:main";
    await say("main");
    expect(await remove(session)).toBe(204);
    // No row names them, as after a crash between the commit and the removal of files.
    const left = [await send("main")];
    await kurisu.workspace.write(session, "notes.txt", "left", "write");
    expect(await find(left)).toEqual([200]);
    expect(await remove(session)).toBe(204);
    expect(await find(left)).toEqual([404]);
    expect((await kurisu.workspace.readText(session, "notes.txt")).ok).toBe(false);
  });
});
