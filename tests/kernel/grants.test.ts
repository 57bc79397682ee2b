import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readAudit } from "../../src/store/queries/audit.ts";
import { effectRules } from "../support/effect-tools.ts";
import { codeOf, TestGateway } from "../support/gateway.ts";
import { createStorePlace, listUsualEngines } from "../support/store-engines.ts";

const minute = 60_000;

describe.each(listUsualEngines())("on %s:", (engine) => {
  let kurisu: TestGateway;
  beforeEach(async () => {
    kurisu = new TestGateway({ place: await createStorePlace(engine), tools: [] });
    await kurisu.start();
  });
  afterEach(() => kurisu.dispose());

  const actions = async () =>
    (await readAudit(kurisu.store.main, 500))
      .map(({ action }) => action)
      .filter((action) => action.startsWith("grant."));
  const again = async (what = "a") => {
    const before = kurisu.did().length;
    await kurisu.say(`poke ${what}`);
    return kurisu.did().length > before;
  };

  describe("「确认 30分钟」", () => {
    beforeEach(async () => {
      await kurisu.say("poke a");
      await kurisu.say("确认 30分钟");
    });

    it("the question offers the grant with what it would cover, and giving it approves the call", () => {
      expect(kurisu.lastPrompt().text).toContain("no more asking for poke with exactly these arguments");
      expect(kurisu.did()).toEqual(["a"]);
    });

    it("lets the same calls run for 30 minutes, and no longer", async () => {
      kurisu.clock.advance(29 * minute);
      expect(await again()).toBe(true);
      kurisu.clock.advance(minute);
      expect(await again()).toBe(false);
      expect(kurisu.prompts()).toHaveLength(2);
      await kurisu.until(async () => (await actions()).includes("grant.expired"));
      expect(await actions()).toEqual(["grant.made", "grant.used", "grant.expired"]);
    });

    it("covers no other arguments, tool, person or chat", async () => {
      expect(await again("b")).toBe(false);
      expect(await again("a ")).toBe(true);
      await kurisu.say("poke a", { user: "alice", chat: "alice" });
      await kurisu.say("poke a", { chat: "room", group: true });
      expect(kurisu.did()).toEqual(["a", "a"]);
      expect(kurisu.prompts()).toHaveLength(4);
    });

    it("covers nothing in a turn that has read what strangers wrote", async () => {
      await kurisu.say("read_page x > poke a");
      expect(kurisu.did()).toEqual(["a", "x"]);
      expect(kurisu.prompts()).toHaveLength(2);
      expect(kurisu.lastPrompt().text).toContain("Permission G1 does not count this time");
      await kurisu.say("取消");
      await kurisu.say("read_page x > poke b");
      expect(kurisu.lastPrompt().text).not.toContain("does not count");
    });

    it("a change of the rules ends the grant", async () => {
      kurisu.rules.current = { ...effectRules, rules: [{ tool: "other", level: "deny" }] };
      await kurisu.gateway.applyPolicy();
      expect(await again()).toBe(false);
      expect(await actions()).toEqual(["grant.made", "grant.expired"]);
    });

    it("survives a restart", async () => {
      await kurisu.restart();
      expect(await again()).toBe(true);
    });

    it("the grant ends when the clock goes back to before it was given", async () => {
      kurisu.clock.advance(-minute);
      expect(await again()).toBe(false);
    });

    it("/grants lists what the grant covers and how often it was used, and takes it back for good", async () => {
      await again();
      await kurisu.say("/grants");
      expect(kurisu.lastText()).toMatch(/G1 {2}poke with exactly these arguments \(owner, until .*, used 1 time\)/);
      await kurisu.say("/status");
      expect(kurisu.lastText()).toContain("1 standing");
      await kurisu.say("/grants 取消 g1");
      expect(kurisu.lastText()).toContain("G1 收回了");
      expect(await again()).toBe(false);
      await kurisu.say("/revoke G1");
      expect(kurisu.lastText()).toContain("no permission G1");
      expect(await actions()).toEqual(["grant.made", "grant.used", "grant.revoked"]);
    });
  });

  it("ends between the judgement and the run: the call does not run, and the model hears why", async () => {
    await kurisu.say("poke a");
    await kurisu.say("确认 1小时");
    const stop = kurisu.store.main;
    // The first of the two takes the grant away while the second waits for its turn.
    kurisu.onRun = async ({ what }) => {
      if (what === "first") await stop.updateTable("grants").set({ state: "revoked" }).execute();
      return { ok: true, output: what };
    };
    await kurisu.say("note first; poke a");
    expect(kurisu.did()).toEqual(["a", "first"]);
    expect(kurisu.model.asked.at(-1)?.results.at(-1)).toContain("standing permission");
    expect(kurisu.lastText()).toContain("2 件里成了 1 件");
  });

  it("「确认 本任务」 ends with the turn that asked", async () => {
    await kurisu.say("poke a > poke a > note x > poke a");
    await kurisu.say("确认 本任务");
    expect(kurisu.did()).toEqual(["a", "a", "x", "a"]);
    expect(kurisu.prompts()).toHaveLength(1);
    expect(await again()).toBe(false);
    await kurisu.say("/grants");
    expect(kurisu.lastText()).toContain("No permission stands");
  });

  it("lasts from a minute to a day", async () => {
    await kurisu.say("poke a");
    for (const time of ["25小时", "1441分钟"]) {
      await kurisu.say(`确认 ${time}`);
      expect(kurisu.lastText()).toContain("从 1 分钟到 24 小时");
    }
    expect(kurisu.did()).toEqual([]);
    await kurisu.say("确认 24 小时");
    expect(kurisu.did()).toEqual(["a"]);
  });

  it("a timed approval needs the code where a plain one does, and grants all calls that have a pattern", async () => {
    await kurisu.say("poke a; poke b; poke a2");
    const code = codeOf(kurisu.lastPrompt());
    await kurisu.say("poke z");
    await kurisu.say("确认 30分钟");
    expect(kurisu.did()).toEqual([]);
    await kurisu.say(`确认 ${code} 30分钟`);
    expect(kurisu.did()).toEqual(["a", "b", "a2"]);
    expect(await again("b")).toBe(true);
    expect(await actions()).toEqual(["grant.made", "grant.made", "grant.made", "grant.used"]);
  });

  it("an owner can give a grant for the asker in a group, and others cannot withdraw it", async () => {
    const room = { chat: "room", group: true } as const;
    await kurisu.say("poke a", { ...room, user: "alice" });
    await kurisu.say("确认 30分钟", { ...room, user: "bob" });
    expect(kurisu.did()).toEqual([]);
    await kurisu.say("确认 30分钟", { ...room, user: "owner" });
    await kurisu.say("poke a", { ...room, user: "alice" });
    expect(kurisu.did()).toEqual(["a", "a"]);
    await kurisu.say("poke a", { ...room, user: "bob" });
    expect(kurisu.did()).toEqual(["a", "a"]);
    await kurisu.say("/revoke G1", { ...room, user: "bob" });
    expect(kurisu.lastText()).toContain("not yours to take back");
    await kurisu.say("/revoke G1", { ...room, user: "alice" });
    await kurisu.say("poke a", { ...room, user: "alice" });
    expect(kurisu.did()).toEqual(["a", "a"]);
  });
});
