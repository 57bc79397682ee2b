import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { estimateTokens } from "../../../src/core/estimate-tokens.ts";
import { effectRules } from "../../support/effect-tools.ts";
import { TestGateway } from "../../support/gateway.ts";
import { makePlainTool } from "../../support/plain-tool.ts";
import { createStorePlace, listUsualEngines } from "../../support/store-engines.ts";

/** 200 tools of eight servers, each with a schema as real ones have it. */
const servers = ["notion", "github", "calendar", "maps", "music", "shop", "files", "news"];
const things = [
  "page",
  "database",
  "comment",
  "block",
  "user",
  "event",
  "route",
  "track",
  "order",
  "issue",
  "branch",
  "photo",
];
const verbs = ["create", "list", "delete"];
const names = servers.flatMap((server) =>
  things.flatMap((thing) => verbs.map((verb) => `mcp__${server}__${verb}_${thing}`)),
);

describe.each(listUsualEngines())("more tools of servers than a prompt has room for, on %s:", (engine) => {
  let kurisu: TestGateway;
  const ran: string[] = [];

  async function start(given: readonly string[]): Promise<void> {
    ran.length = 0;
    const tools = given.map((name) =>
      makePlainTool({
        name,
        source: "mcp",
        level: "safe",
        description: { zh: "", en: `${name.split("__").join(" ")}: ${"what it does, and when. ".repeat(8)}` },
        parameters: { type: "object", properties: { id: { type: "string", description: "The id of what is meant." } } },
        run: () => {
          ran.push(name);
          return Promise.resolve({ ok: true, output: "done" });
        },
      }),
    );
    kurisu = new TestGateway({ place: await createStorePlace(engine), tools, builtin: ["task", "find_tool"] });
    const { permissions } = effectRules;
    kurisu.rules.current = {
      ...effectRules,
      permissions: { ...permissions, safe: [...(permissions.safe ?? []), "find_tool", "mcp__*"] },
    };
    await kurisu.start();
    kurisu.model.script = () => ({ text: "好。" });
  }

  beforeEach(() => start(names.slice(0, 200)));
  afterEach(() => kurisu.dispose());

  const offered = () => kurisu.model.asked.at(-1)?.tools.filter((name) => name.startsWith("mcp__")) ?? [];

  it("cost a line a server, and far less than their definitions", async () => {
    await kurisu.say("你好");
    expect(offered()).toEqual([]);
    const request = kurisu.model.asked[0]?.request;
    const system = request?.messages[0]?.text ?? "";
    const lines = system.slice(system.indexOf("## Tools of servers"));
    expect(lines).toContain("- notion: 36 tools (");
    expect(estimateTokens(lines)).toBeLessThan(1_500);
    expect(kurisu.model.asked.at(-1)?.tools).toContain("find_tool");
  });

  it("find_tool loads the tools, and they stay loaded for the next message", async () => {
    kurisu.model.script = ({ results }) => {
      if (results.length === 0)
        return { calls: [{ name: "find_tool", arguments: { words: "list issues on github", limit: 2 } }] };
      if (results.length === 1) return { calls: [{ name: "mcp__github__list_issue", arguments: {} }] };
      return { text: "好。" };
    };
    await kurisu.say("有哪些没关的");
    expect(ran).toEqual(["mcp__github__list_issue"]);
    const loaded = offered();
    expect(loaded).toHaveLength(2);
    kurisu.model.script = () => ({ text: "好。" });
    await kurisu.say("谢谢");
    expect(offered()).toEqual(loaded);
    await kurisu.restart();
    await kurisu.say("还在吗");
    expect(offered()).toEqual(loaded);
  });

  it("a message that names the server and the task loads its tools", async () => {
    await kurisu.say("create a page in notion for me");
    expect(offered()).toContain("mcp__notion__create_page");
    expect(offered().length).toBeLessThan(20);
  });

  it("a tool that is not loaded is not called", async () => {
    kurisu.model.script = ({ results }) =>
      results.length === 0
        ? { calls: [{ name: "mcp__music__create_order", arguments: {} }] }
        : { text: String(results[0]) };
    await kurisu.say("你好");
    expect(ran).toEqual([]);
    expect(JSON.stringify(kurisu.model.asked.at(-1)?.results)).toContain("find_tool loads it");
  });

  it("all tools are offered where there is room, and find_tool is not", async () => {
    await kurisu.dispose();
    await start(names.slice(0, 5));
    await kurisu.say("你好");
    expect(offered()).toHaveLength(5);
    expect(kurisu.model.asked.at(-1)?.tools).not.toContain("find_tool");
  });
});
