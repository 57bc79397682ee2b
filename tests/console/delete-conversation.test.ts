import { describe, expect, it } from "vitest";
import type { SessionsView } from "../../src/console/views/chats-views.ts";
import { openMembers } from "../support/console/open-members.ts";
import { pathOf } from "../support/console/open-console.ts";
import { findTraces } from "../support/find-traces.ts";
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
});
