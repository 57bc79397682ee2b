import { afterEach, describe, expect, it } from "vitest";
import type { PeopleView, RoleAnswerView } from "../../src/console/views/people-views.ts";
import { listLinkedAccounts, saveLink } from "../../src/store/queries/account-links.ts";
import { findRole, savePerson } from "../../src/store/queries/people.ts";
import { startConsoleBeside } from "../support/console/console-beside.ts";
import { makeMessage } from "../support/fake-channel.ts";
import { TestGateway } from "../support/gateway.ts";
import { createStorePlace, listEngines } from "../support/store-engines.ts";

let kurisu: TestGateway | undefined;
afterEach(async () => {
  await kurisu?.dispose();
  kurisu = undefined;
});

const bidi = "Eve \u202E<b>";

describe.each(listEngines())("people at the console, on %s", (engine) => {
  async function begin() {
    const running = (kurisu = new TestGateway({
      place: await createStorePlace(engine),
      members: ["carol"],
      groups: ["listed"],
      admins: "member",
    }));
    running.trusted = ["tess"];
    running.model.script = () => ({ text: "知道了。" });
    await running.start();
    const server = await startConsoleBeside(running);
    const cookie = await server.addLogin("owner");
    const ask = async (method: string, path: string, body?: object) => {
      const { status, text } = await server.ask({ method, path: `/api${path}`, headers: { cookie }, body });
      return { status, view: (text === "" ? undefined : JSON.parse(text)) as unknown };
    };
    const people = async () => (await ask("GET", "/system/people")).view as PeopleView;
    const change = (id: string, role: string) => ask("POST", `/people/${encodeURIComponent(id)}/role`, { role });
    const add = (id: string, role: "owner" | "trusted" | "member", name = id) =>
      savePerson(running.store.main, { id, name, role, now: running.clock.now() });
    return { running, server, ask, people, change, add, db: running.store.main };
  }

  it("the list has humans with their accounts, where each role comes from, and the groups that are open", async () => {
    const { add, db, people, running } = await begin();
    await add("fake:eve", "member", bidi);
    await add("fake:eve-2", "trusted", "Eve elsewhere");
    await add("fake:group:opened", "member", "opened");
    for (const account of ["fake:eve", "fake:eve-2"])
      await saveLink(db, { account, human: "human_1", acts: true, now: running.clock.now() });
    const view = await people();
    const find = (id: string) => view.people.find((one) => one.accounts.some((account) => account.id === id));
    expect(find("fake:eve")).toMatchObject({
      role: "trusted",
      accounts: [{ stored: "member" }, { stored: "trusted" }],
    });
    expect(JSON.stringify(view)).not.toContain("\u202E");
    expect(find("fake:owner")).toMatchObject({ role: "owner", accounts: [{ configured: "owner" }] });
    expect(find("fake:carol")).toMatchObject({ role: "member", accounts: [{ configured: "member" }] });
    expect(find("fake:tess")).toMatchObject({ role: "trusted", accounts: [{ configured: "trusted" }] });
    expect(view.groups.map(({ by, id }) => [id, by])).toEqual([
      ["opened", "pair"],
      ["listed", "configuration"],
    ]);
    expect(view.platforms).toEqual([{ platform: "fake", everybody: false, everyGroup: false, admins: "member" }]);
  });

  it("a member whose role is taken gets no answer from then on, and the audit row names the login", async () => {
    const { add, change, people, running, server } = await begin();
    await add("fake:eve", "member", "Eve");
    const say = async (text: string) => {
      await running.channel.deliver(makeMessage(text, { user: "eve" }));
      await running.settle();
    };
    await say("在吗");
    expect(running.channel.sent.map(({ text }) => text)).toEqual(["知道了。"]);
    expect((await change("fake:eve", "none")).view).toEqual({ role: "guest" } satisfies RoleAnswerView);
    await say("还在吗");
    expect(running.channel.sent).toHaveLength(1);
    expect((await people()).people.map(({ id }) => id)).not.toContain("fake:eve");
    expect((await people()).strangers).toEqual([]);
    expect(await server.audited()).toContainEqual(
      expect.objectContaining({
        action: "role.changed",
        actor: "console:owner",
        login: "login_owner",
        person: "fake:eve",
        from: "member",
        to: "none",
      }),
    );
  });

  it("trust is given and taken; an owner, a stranger and what the configuration grants stay as they are", async () => {
    const { add, change, db } = await begin();
    await add("fake:eve", "member", bidi);
    await add("fake:second", "owner");
    expect((await change("fake:eve", "trusted")).view).toEqual({ role: "trusted" });
    expect(await findRole(db, "fake:eve")).toBe("trusted");
    expect((await db.selectFrom("people").select("name").where("id", "=", "fake:eve").execute())[0]?.name).toBe(bidi);
    expect((await change("fake:eve", "member")).view).toEqual({ role: "member" });
    expect((await change("fake:eve", "member")).status).toBe(400);
    for (const owner of ["fake:owner", "fake:second"]) expect((await change(owner, "none")).status).toBe(403);
    expect(await findRole(db, "fake:second")).toBe("owner");
    expect((await change("fake:carol", "none")).status).toBe(409);
    expect((await change("fake:nobody", "trusted")).status).toBe(404);
    expect((await change("fake:eve", "owner")).status).toBe(400);
    expect((await change("fake:carol", "trusted")).view).toEqual({ role: "trusted" });
    // The stored trust goes; the list of channels.yaml still lets her in.
    expect((await change("fake:carol", "none")).view).toEqual({ role: "member" });
  });

  it("a link is parted once, and both accounts stand alone", async () => {
    const { add, ask, db, people, running, server } = await begin();
    await add("fake:eve", "member");
    for (const account of ["fake:eve", "fake:eve-2"])
      await saveLink(db, { account, human: "human_1", acts: true, now: running.clock.now() });
    expect((await people()).canUnlink).toBe(true);
    expect((await ask("DELETE", "/links/fake%3Aeve-2")).status).toBe(204);
    expect((await ask("DELETE", "/links/fake%3Aeve-2")).status).toBe(404);
    expect(await listLinkedAccounts(db, "fake:eve")).toEqual(["fake:eve"]);
    expect(await server.audited()).toContainEqual(
      expect.objectContaining({ action: "account.unlinked", actor: "console:owner", login: "login_owner" }),
    );
  });
});
