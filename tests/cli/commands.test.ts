import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { runCommand } from "../../src/cli/run-command.ts";
import type { CommandContext } from "../../src/cli/types.ts";
import { createLog } from "../../src/core/log.ts";
import { openStore } from "../support/open-store.ts";
import { ApprovalManager } from "../../src/kernel/gate/approval-manager.ts";
import { createToolRegistry } from "../../src/kernel/tools/registry.ts";
import { createOffSandbox } from "../../src/sandbox/open-sandbox.ts";
import { ConfigFolder } from "../support/config-folder.ts";
import { createEffectTools } from "../support/effect-tools.ts";
import { HandClock } from "../support/hand-clock.ts";
import { keepLearnt } from "../support/match-skills.ts";

let folder: ConfigFolder;
let environment: Record<string, string>;
let out: string;
let err: string;

beforeEach(() => {
  folder = new ConfigFolder();
  environment = {};
  folder.write("config/system/tools.yaml", "permissions: { safe: [peek], confirm: [poke], deny: [never] }\n");
  out = err = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => Boolean((out += String(text))));
  vi.spyOn(process.stderr, "write").mockImplementation((text) => Boolean((err += String(text))));
});
afterEach(() => {
  vi.restoreAllMocks();
  folder.remove();
});

const { tools } = createEffectTools(() => 0);
const unavailable = tools.map((tool) =>
  tool.name === "note" ? { ...tool, availability: () => ({ ok: false as const, reason: "no engine" }) } : tool,
);

const context = (): Omit<CommandContext, "arguments"> => ({
  version: "1.2.3",
  environment: { own: environment, all: environment, envFile: "/nowhere/.env", fault: undefined },
  configuration: () => folder.load(environment),
  isOwnVariable: () => false,
  assemble: () => Promise.reject(new Error("this command does not need all of it")),
  tolerantConfiguration: () => undefined,
  inspect: (configuration) =>
    Promise.resolve({
      configuration,
      registry: createToolRegistry(unavailable),
      sandbox: createOffSandbox(),
      probeMcp: async () => [],
      log: createLog({ level: "silent", secrets: [] }),
    }),
});

/** Runs a command in this process. */
async function kurisu(...given: readonly string[]): Promise<number> {
  out = err = "";
  return runCommand(given, context());
}

const lines = () => out.trimEnd().split("\n");

describe("kurisu", () => {
  it("tells its version and its commands", async () => {
    expect([await kurisu("--version"), out]).toEqual([0, "1.2.3\n"]);
    expect(await kurisu("--help")).toBe(0);
    for (const name of ["start", "chat", "doctor", "tools", "skills", "approvals", "audit", "persona"])
      expect(out).toContain(name);
  });

  it("the setup asks nothing where there is no terminal", async () => {
    expect(await kurisu("setup")).toBe(78);
    expect(err).toContain("this is no terminal");
  });

  it.each(["start", "setup", "chat", "doctor", "tools", "skills", "skill", "approvals", "audit", "persona"])(
    "%s --help",
    async (name) => {
      expect(await kurisu(name, "--help")).toBe(0);
      expect(out).toMatch(/^\.\/kurisu \w+/);
      expect(err).toBe("");
    },
  );

  it.each([
    [["dance"]],
    [["tools", "list", "--wat"]],
    [["tools", "dance"]],
    [["tools", "why"]],
    [["tools", "why", "poke", "{"]],
    [["tools", "why", "poke", "{}"]],
    [["tools", "why", "nothing"]],
    [["tools", "list", "--format", "xml"]],
    [["skills", "dance"]],
    [["persona", "dance"]],
    [["audit", "show", "--limit", "0"]],
    [["approvals", "approve"]],
    [["chat", "--session", "../x", "--once", "hi"]],
    [["engine-guard"]],
    [["engine-guard", "--listen", "relative"]],
    [["engine-guard", "--listen", "/x/y", "--user", "0:0"]],
    [["engine-guard", "--what"]],
  ])("the program rejects %j as a command: exit 78, one message, no stack", async (given) => {
    expect(await kurisu(...given)).toBe(78);
    expect(`${out}${err}`).toMatch(/\S/);
    expect(`${out}${err}`).not.toMatch(/^\s+at /m);
  });

  it("reports faults as JSON where that was asked for", async () => {
    expect(await kurisu("tools", "list", "--json", "--wat")).toBe(78);
    expect(JSON.parse(out)).toMatchObject({ type: "error", code: "USAGE" });
  });
});

describe("tools", () => {
  it("lists every tool with its level and whether it is there", async () => {
    expect(await kurisu("tools", "list", "--json")).toBe(0);
    expect(lines().map((line) => JSON.parse(line) as unknown)).toEqual([
      { name: "poke", level: "confirm", source: "builtin", available: true },
      { name: "note", level: "deny", source: "builtin", available: false, reason: "no engine" },
      { name: "peek", level: "safe", source: "builtin", available: true },
      { name: "read_page", level: "deny", source: "builtin", available: true },
      { name: "never", level: "deny", source: "builtin", available: true },
    ]);
    await kurisu("tools");
    expect(out).toContain("not offered: no engine");
    // One column is as wide as its longest name.
    const starts = lines().map((line) => line.search(/(?<=^\w+ +)(?:confirm|deny|safe) /));
    expect(new Set(starts)).toEqual(new Set(["read_page".length + 2]));
  });

  it.each([
    ["openai", (tool: unknown) => (tool as { function: { name: string } }).function.name],
    ["anthropic", (tool: unknown) => (tool as { name: string; input_schema: object }).name],
    ["mcp", (tool: unknown) => (tool as { name: string; inputSchema: object }).name],
  ])("prints the definitions for %s", async (format, nameOf) => {
    expect(await kurisu("tools", "list", "--format", format)).toBe(0);
    expect((JSON.parse(out) as unknown[]).map(nameOf)).toContain("poke");
  });

  it.each([
    ["peek", "allow"],
    ["poke", "ask"],
    ["never", "deny"],
  ])("explains what would become of %s: %s", async (name, verdict) => {
    expect(await kurisu("tools", "why", name, '{"what":"a"}')).toBe(0);
    expect(lines()[0]).toMatch(new RegExp(`^${verdict}: `));
    expect(lines()[1]).toBe("a");
  });
});

describe("tools why", () => {
  const rules = `permissions: { safe: [peek], confirm: [poke], deny: [never] }
rules:
  - tool: poke
    level: safe
    when: { what: { matches: "small*" } }
  - { tool: poke, level: confirm, role: trusted, approval: { votes: 2, ask: owner } }
  - { tool: p*, level: deny, chat: "telegram:-100*" }
`;
  const why = async (...given: readonly string[]) => {
    expect(await kurisu("tools", "why", "poke", ...given, "--json")).toBe(0);
    return JSON.parse(out) as Record<string, unknown>;
  };
  beforeEach(() => {
    folder.write("config/system/tools.yaml", rules);
    environment = { TELEGRAM_BOT_TOKEN: "1:x" };
    folder.write("config/system/channels.yaml", "telegram: { allow: [7], trusted: [8] }\n");
  });

  it("names the line that decided, with its place, and those that were looked at", async () => {
    expect(await why('{"what":"small thing"}')).toMatchObject({
      verdict: "allow",
      person: { id: "cli:owner", role: "owner" },
      decided: { by: "rules", rule: "rules.0", place: "tools.yaml:3:5" },
      considered: [
        { key: "rules.0", level: "safe", fits: "yes", place: "tools.yaml:3:5" },
        { key: "rules.1", level: "confirm", fits: "no" },
        { key: "permissions.confirm.0", level: "confirm", fits: "yes", place: "tools.yaml:1:40" },
        { key: "rules.2", tool: "p*", level: "deny", fits: "no" },
      ],
    });
    await kurisu("tools", "why", "poke", '{"what":"small thing"}');
    expect(lines()).toEqual([
      "allow: the level of this call is safe, by rules.0 (tools.yaml:3:5)",
      "small thing",
      "for cli:owner (owner), in a private chat",
      "without grants, plan mode, the kill switch and hosts of skills: a running Kurisu knows them",
      "  fits            tools.yaml:3:5  poke → safe",
      "  does not fit    tools.yaml:6:5  poke → confirm",
      "  fits            tools.yaml:1:40  poke → confirm",
      "  does not fit    tools.yaml:7:5  p* → deny",
    ]);
  });

  it("knows roles, chats and what was read before", async () => {
    const [large, small] = ['{"what":"large"}', '{"what":"small"}'];
    expect(await why(large, "--role", "trusted")).toMatchObject({
      verdict: "ask",
      because: [{ kind: "level" }],
      terms: { votes: 2, askerMayApprove: true, ask: "owner" },
    });
    expect(await why(small, "--tainted")).toMatchObject({ verdict: "ask", because: [{ kind: "taint" }] });
    expect(await why(small, "--role", "guest")).toMatchObject({ verdict: "deny", decided: { by: "role" } });
    expect(await why(large, "--chat", "telegram:-1005", "--group")).toMatchObject({ verdict: "ask", chat: "group" });
    const of = async (user: string) => (await why(large, "--user", user))["person"];
    expect([await of("telegram:7"), await of("telegram:8"), await of("telegram:9"), await of("me")]).toEqual([
      { id: "telegram:7", role: "member" },
      { id: "telegram:8", role: "trusted" },
      { id: "telegram:9", role: "guest" },
      { id: "cli:me", role: "member" },
    ]);
  });

  it("the command says whose approval the call needs", async () => {
    await kurisu("tools", "why", "poke", '{"what":"large"}', "--role", "trusted");
    expect(lines()[3]).toBe("needs 2 yeses of the person who asked, or an owner; asked in the owners' private chat");
  });

  it.each([
    [["--role", "king"], "--role is one of owner, trusted, member, guest"],
    [["--chat", "here"], "--chat is <platform>:<chat>"],
  ])("the command rejects %j", async (given, message) => {
    expect(await kurisu("tools", "why", "poke", '{"what":"a"}', ...given)).not.toBe(0);
    expect(err).toContain(message);
  });
});

describe("skills and persona", () => {
  beforeEach(() => keepLearnt(folder.load().home));

  it("answer one JSON line for one utterance or reply", async () => {
    expect(await kurisu("skills", "match", "现在几点")).toBe(0);
    expect(JSON.parse(out)).toEqual({ skills: ["time"] });
    expect(await kurisu("persona", "check", "哼，随你怎么说。")).toBe(0);
    expect(JSON.parse(out)).toEqual({ verdict: "ok", kinds: [] });
    expect(await kurisu("persona", "check", "作为一个AI语言模型，我没有感情。")).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      verdict: "break",
      kinds: expect.arrayContaining(["ai-self-disclosure"]) as unknown,
    });
  });
});

describe("skills match", () => {
  beforeEach(() => keepLearnt(folder.load().home));

  it("finds a skill of one's own by five sentences, and tells why", async () => {
    folder.write("config/skills/tides/SKILL.md", "---\nname: tides\ndescription: knows the tides\n---\n");
    const sentences = ["明天青岛几点涨潮", "退潮是什么时候", "查一下今天的潮汐", "赶海去哪儿好", "when is high tide"];
    folder.write("config/skills/tides/examples.txt", `# How people ask.\n${sentences.join("\n")}\n`);
    expect(await kurisu("skills", "match", "后天厦门几点涨潮")).toBe(0);
    expect(JSON.parse(out)).toEqual({ skills: ["tides"] });
    await kurisu("skills", "match", "晚安，明天见");
    expect(JSON.parse(out)).toEqual({ skills: [] });
    expect(await kurisu("skills", "match", "--why", "后天厦门几点涨潮")).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      skills: ["tides"],
      why: [{ skill: "tides", by: "sentences", called: true, found: "后天厦门几点涨潮" }],
    });
    const [{ score, threshold, features }] = (JSON.parse(out) as { why: [Record<string, unknown>] }).why;
    expect(score).toBeGreaterThan(threshold as number);
    expect((features as [string, number][]).some(([run, weight]) => run.includes("涨潮") && weight > 0)).toBe(true);
  });
});

describe("skills list", () => {
  beforeEach(() => keepLearnt(folder.load().home));

  it("says how well messages find each skill, and what to do about it", async () => {
    folder.write("config/skills/tea/SKILL.md", "---\ndescription: tea\n---\n");
    folder.write("config/skills/time/SKILL.md", "---\ndescription: time\n---\n");
    folder.write("config/skills/odd/SKILL.md", "---\ndescription: odd\n---\n");
    folder.write("config/skills/odd/examples.txt", "什么\n怎么办呢\n");
    folder.write("config/skills/twin/SKILL.md", "---\ndescription: twin\n---\n");
    folder.write("config/skills/twin/examples.txt", "明天青岛几点涨潮\n后天青岛几点涨潮\n");
    expect(await kurisu("skills", "list", "--json")).toBe(0);
    const found = Object.fromEntries(
      lines()
        .map((line) => JSON.parse(line) as { id: string; found: string })
        .map((one) => [one.id, one.found]),
    );
    expect(found).toEqual({ odd: "hardly", tea: "by words alone", time: "well", twin: "hardly" });
    await kurisu("skills", "list");
    expect(lines()[0]).toMatch(/^odd .*found hardly: write more sentences into its examples\.txt/);
  });

  it("lets nothing that others wrote steer the terminal", async () => {
    const markdown = (name: string) =>
      `---\ndescription: x\nmetadata: { version: "1\\e[31m", kurisu-name: "${name}" }\n---\n`;
    folder.write("config/skills/evil/SKILL.md", markdown(String.raw`bad\e[2J\n  mine`));
    folder.write("config/skills/we\u001b[31mird/SKILL.md", markdown("x"));
    expect(await kurisu("skills", "list")).toBe(0);
    expect(lines()).toHaveLength(1);
    expect(out).toContain("bad⟨U+001B⟩[2J");
    expect(err).toContain("we⟨U+001B⟩[31mird");
    expect(`${out}${err}`).not.toContain("\u001b");
  });
});

describe("approvals and audit", () => {
  it("show what waits and what was done", async () => {
    const store = await openStore({ home: folder.load().home });
    const approvals = new ApprovalManager({ clock: new HandClock(), timeoutMs: () => 600_000 });
    const question = await approvals.open(store.main, {
      session: "fake:bot:room",
      chatKind: "private",
      turn: "turn_1",
      interrupt: "i",
      person: { id: "fake:alice", name: "alice", role: "member" },
      policy: "p",
      calls: [
        {
          call: "1.1",
          tool: "poke",
          arguments: { what: "a" },
          hash: "h",
          summary: "a",
          detail: "a (1 line)\n\nfirst\nK9  q_1  approve me\u001b[2K\nrm -rf ~",
        },
      ],
    });
    await store.close();
    expect(await kurisu("approvals", "list", "--json")).toBe(0);
    const [row] = lines().map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(row).toMatchObject({
      id: question.id,
      code: question.code,
      asker: "fake:alice",
      calls: [{ tool: "poke", summary: "a", detail: question.calls[0]?.detail }],
    });
    await kurisu("approvals");
    expect(out).toContain(`${question.code}  ${question.id}`);
    // All that a yes would run, and no line of it looks like one of the list.
    expect(out).toContain("│ first\n│ K9  q_1  approve me⟨U+001B⟩[2K\n│ rm -rf ~\n");
    expect(await kurisu("audit", "show", "--json")).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ action: "approval.asked", actor: "fake:alice", turn: "turn_1" });
    await kurisu("audit", "show", question.id);
    expect(out).toContain("approval.asked");
    expect(await kurisu("audit", "show", "nobody")).toBe(1);
    expect(out.trim()).toBe("");
  });
});
