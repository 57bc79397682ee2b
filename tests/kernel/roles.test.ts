import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readAudit } from "../../src/store/queries/audit.ts";
import type { Role } from "../../src/kernel/gate/types.ts";
import { effectRules } from "../support/effect-tools.ts";
import { codeOf, TestGateway } from "../support/gateway.ts";
import type { TestGatewayOptions } from "../support/gateway-options.ts";
import { createStorePlace, listUsualEngines } from "../support/store-engines.ts";

const trustedOnly = {
  ...effectRules,
  rules: [
    { tool: "poke", level: "deny" },
    { tool: "poke", level: "confirm", role: ["trusted", "owner"] },
  ],
} as const;

let kurisu: TestGateway;
const start = async (options: TestGatewayOptions = {}) => {
  kurisu = new TestGateway(options);
  await kurisu.start();
};
afterEach(() => kurisu.dispose());

const inGroup = (user: string) => ({ user, group: true, chat: "g" });
const offered = () => kurisu.model.asked.at(-1)?.request.tools.map(({ name }) => name) ?? [];
const answerOf = () => kurisu.lastText("reply");
/** Somebody's call, and what became of it. */
async function tryOut(text: string, said: object): Promise<string> {
  const before = [kurisu.effects.length, kurisu.prompts().length];
  await kurisu.say(text, said);
  if (kurisu.prompts().length > (before[1] ?? 0)) {
    await kurisu.say(`取消 ${codeOf(kurisu.lastPrompt())}`, said);
    return "asked";
  }
  return kurisu.effects.length > (before[0] ?? 0) ? "ran" : "refused";
}

describe.each(listUsualEngines())("/trust on %s:", (engine) => {
  beforeEach(async () => {
    await start({ place: await createStorePlace(engine) });
    kurisu.rules.current = trustedOnly;
  });

  it("gives what rules give to the trusted, from the next message on, and takes it away at once", async () => {
    expect(await tryOut("poke a", { user: "bob" })).toBe("refused");
    expect(offered()).not.toContain("poke");
    await kurisu.say("/trust fake:bob");
    expect(kurisu.lastText()).toContain("fake:bob");
    expect(await tryOut("poke b", { user: "bob" })).toBe("asked");
    expect(offered()).toContain("poke");
    await kurisu.say("poke c", { user: "bob" });
    await kurisu.say("/untrust fake:bob");
    await kurisu.say("确认", { user: "bob" });
    expect(kurisu.effects).toEqual([]);
    expect(answerOf()).toContain("0 件");
    const changes = (await readAudit(kurisu.store.main, 50)).filter(({ action }) => action === "role.changed");
    expect(changes.map(({ actor, detail }) => [actor, JSON.parse(detail) as unknown])).toEqual([
      ["fake:owner", { person: "fake:bob", from: "member", to: "trusted" }],
      ["fake:owner", { person: "fake:bob", from: "trusted", to: "member" }],
    ]);
  });

  it("finds people by a name that only one of them has", async () => {
    const { main } = kurisu.store;
    const save = (id: string, name: string) =>
      main.insertInto("people").values({ id, name, role: "member", created_at: 0 }).execute();
    await save("fake:1", "小明");
    await save("other:2", "小明");
    await save("fake:group:小明", "小明");
    await kurisu.say("/trust 小明");
    expect(kurisu.lastText()).toContain("fake:1");
    await save("fake:3", "小明");
    await kurisu.say("/untrust 小明");
    expect(kurisu.lastText()).toContain("fake:1、fake:3");
    await kurisu.say("/untrust 1");
    expect(kurisu.lastText()).toContain("不再是受信任的人");
    const roles = await main.selectFrom("people").select(["id", "role"]).orderBy("id").execute();
    expect(roles.filter(({ role }) => role !== "member")).toEqual([]);
  });

  it("only owners use /trust, and it makes and unmakes no owner", async () => {
    await kurisu.say("/trust fake:bob", { user: "bob" });
    expect(kurisu.lastText()).toContain("只有管理员");
    await kurisu.say("/trust fake:owner");
    expect(kurisu.lastText()).toContain("是管理员");
    await kurisu.say("/untrust fake:owner");
    expect(kurisu.lastText()).toContain("是管理员");
    await kurisu.say("/trust nobody at all");
    expect(kurisu.lastText()).toContain("不认识");
    await kurisu.say("/trust");
    expect(kurisu.lastText()).toContain("用法");
    expect(await kurisu.store.main.selectFrom("people").selectAll().execute()).toEqual([]);
  });

  it("leaves alone what the configuration says", async () => {
    kurisu.trusted = ["bob"];
    expect(await tryOut("poke a", { user: "bob" })).toBe("asked");
    await kurisu.say("/untrust fake:bob");
    expect(kurisu.lastText()).toContain("channels.yaml");
    expect(await tryOut("poke a", { user: "bob" })).toBe("asked");
    kurisu.trusted = [];
    expect(await tryOut("poke a", { user: "bob" })).toBe("refused");
  });
});

describe("an administrator of a group on the platform", () => {
  it("a platform administrator has the configured role in that group and is a stranger elsewhere", async () => {
    await start({ admins: "trusted" });
    kurisu.rules.current = trustedOnly;
    kurisu.channel.administrators.add("g carol");
    await kurisu.say("poke a", inGroup("carol"));
    await kurisu.say("确认", inGroup("carol"));
    expect(kurisu.did()).toEqual(["a"]);
    expect(await tryOut("poke b", inGroup("dave"))).toBe("refused");
    expect(await tryOut("poke b", { ...inGroup("carol"), chat: "h" })).toBe("refused");
    await kurisu.say("poke b", { user: "carol" });
    expect(kurisu.lastText()).toContain("配对码");
    expect(kurisu.did()).toEqual(["a"]);
  });

  it("a platform administrator has no special role without configuration, and never becomes an owner", async () => {
    await start();
    kurisu.channel.administrators.add("g carol");
    expect(await tryOut("poke a", inGroup("carol"))).toBe("refused");
    await kurisu.say("/trust fake:dave 一下", inGroup("carol"));
    expect(kurisu.lastText()).toContain("只有管理员");
  });

  it("a platform administrator loses the role with the platform's word, and an earlier approval runs nothing", async () => {
    await start({ admins: "member" });
    kurisu.channel.administrators.add("g carol");
    await kurisu.say("poke a", inGroup("carol"));
    const code = codeOf(kurisu.lastPrompt());
    kurisu.channel.administrators.clear();
    await kurisu.say(`确认 ${code}`, inGroup("carol"));
    expect(await kurisu.questions()).toHaveLength(1);
    await kurisu.say(`确认 ${code}`, inGroup("owner"));
    expect(kurisu.effects).toEqual([]);
  });
});

describe("a person who is put out between the question and the yes", () => {
  it("the person's call does not run, whoever approves it, and there is no further round", async () => {
    await start();
    await kurisu.say("poke a > note b", inGroup("alice"));
    kurisu.members = [];
    await kurisu.say(`确认 ${codeOf(kurisu.lastPrompt())}`, inGroup("owner"));
    expect(kurisu.effects).toEqual([]);
    const verdicts = await kurisu.store.main
      .selectFrom("decisions")
      .select(["call", "verdict"])
      .orderBy("call")
      .execute();
    expect(verdicts).toEqual([
      { call: "1.1", verdict: "ask" },
      { call: "2.1", verdict: "deny" },
    ]);
  });
});

describe("the gate, by the front door", () => {
  const expected: readonly [Role, string, Record<string, string>][] = [
    ["owner", "owner", { peek: "ran", note: "ran", poke: "asked", never: "refused" }],
    ["trusted", "bob", { peek: "ran", note: "ran", poke: "asked", never: "refused" }],
    ["member", "alice", { peek: "ran", note: "ran", poke: "asked", never: "refused" }],
    ["guest", "mallory", { peek: "ran", note: "refused", poke: "refused", never: "refused" }],
  ];
  const tainted: Record<string, string> = { peek: "ran", note: "asked", poke: "asked" };

  it.each(expected)("gives a %s in a group what the table says, and shows no more", async (role, user, table) => {
    await start();
    kurisu.trusted = ["bob"];
    for (const [tool, verdict] of Object.entries(table))
      expect([tool, await tryOut(`${tool} a`, inGroup(user))]).toEqual([tool, verdict]);
    const wanted = role === "guest" ? ["peek", "read_page"] : ["poke", "note", "peek", "read_page", "send_file"];
    expect(offered()).toEqual(wanted);
    for (const [tool, verdict] of Object.entries(tainted)) {
      await kurisu.say("/new");
      const before = kurisu.effects.length;
      await kurisu.say(`read_page p > ${tool} b`, inGroup(user));
      const asked = (await kurisu.questions()).length > 0;
      const ran = kurisu.effects.length === before + 2;
      const found = asked ? "asked" : ran ? "ran" : "refused";
      expect([tool, found]).toEqual([tool, role === "guest" && tool !== "peek" ? "refused" : verdict]);
      await kurisu.say("/stop", inGroup("owner"));
    }
  });
});
