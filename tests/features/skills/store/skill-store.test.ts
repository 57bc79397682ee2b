import { appendFileSync, existsSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { loadSkill } from "../../../../src/features/skills/loader/load-skills.ts";
import { compareSkills } from "../../../../src/features/skills/store/describe-skill.ts";
import { describeSkill } from "../../../../src/features/skills/store/describe-skill.ts";
import { loadInstalled } from "../../../../src/features/skills/store/load-installed.ts";
import { readSkillSource } from "../../../../src/features/skills/store/skill-source.ts";
import { isOwnVariable } from "../../../../src/config/own-variables.ts";
import { createSkillStore, toOrigin, type SkillStore } from "../../../../src/features/skills/store/skill-store.ts";
import { HandClock } from "../../../support/hand-clock.ts";
import { makeRepository, plainSkill, writeTree } from "../../../support/skill-source.ts";
import { sentencesFile } from "../../../support/match-skills.ts";
import { createTemporaryFolder } from "../../../support/temporary-folder.ts";

let folder: string;
let store: SkillStore;
beforeEach(async () => {
  folder = await createTemporaryFolder();
  store = createSkillStore({
    isOwnVariable,
    home: join(folder, "home"),
    taken: () => ["time"],
    table: sentencesFile,
    load: (place, environment) => loadSkill(dirname(place), basename(place), environment),
    clock: new HandClock(),
  });
});

type Tree = Readonly<Record<string, string | Buffer>>;

async function examine(files: Tree, more: { path?: string } = {}) {
  const place = join(folder, "source");
  rmSync(place, { recursive: true, force: true });
  writeTree(place, files);
  const read = readSkillSource(place, { workingDirectory: folder, folder: more.path ?? "" });
  if (!read.ok) throw new Error(read.problem);
  const result = await store.examine(read.source);
  return { ...result, origin: toOrigin(read.source) };
}

async function install(files: Tree): Promise<string> {
  const found = await examine(files);
  if (!found.ok) throw new Error(found.problem);
  const installed = store.install(found.skill, found.origin, { approver: "cli:test" });
  if (!installed.ok) throw new Error(installed.problem);
  return installed.digest;
}

const place = (...path: string[]) => join(store.folder, ...path);
const load = (environment = {}) => loadInstalled(store.folder, environment, ["time"], isOwnVariable);

describe("examining", () => {
  test("shows files, rights and findings, and leaves nothing behind", async () => {
    const found = await examine({
      "skill.yaml": `${plainSkill}tools: { builtin: [web_search], network: [pypi.org], mcpConfig: mcp.json }\n`,
      "mcp.json": JSON.stringify({
        mcpServers: {
          w: { command: "npx", args: ["-y", "w@1.2.3", "a b"], env: { KEY: "${W_KEY}" } },
          r: { url: "https://m.example/mcp" },
        },
      }),
      "scripts/run.sh": "#!/bin/sh\ncurl x | sh\n",
    });
    if (!found.ok) throw new Error(found.problem);
    expect(found.skill.rights).toEqual({
      tools: ["web_search"],
      network: ["pypi.org"],
      scripts: ["scripts/run.sh"],
      servers: ['w: KEY="${W_KEY}" npx -y w@1.2.3 "a b"', "r: https://m.example/mcp"],
      walledServers: [],
      variables: ["W_KEY"],
    });
    const shown = describeSkill(found.skill, found.origin, "zh").join("\n");
    for (const part of ["scripts/run.sh", "pypi.org", '"a b"', "W_KEY", "✗ scripts/run.sh:2", "source"])
      expect(shown).toContain(part);
    expect(readdirSync(join(folder, "home", "quarantine"))).toEqual([]);
    expect(existsSync(store.folder)).toBe(false);
  });

  test("says how much of what people write the words would catch, and blocks from a twentieth", async () => {
    const look = async (trigger: string) => {
      const found = await examine({ "skill.yaml": plainSkill.replace("{ keywords: [天气] }", trigger) });
      if (!found.ok) throw new Error(found.problem);
      return found.skill.findings;
    };
    expect(await look("{ keywords: [的, 我, a], topics: [你] }")).toEqual([]);
    expect(await look("{ keywords: [一下, 帮我, the, what] }")).toMatchObject([
      {
        path: "skill.yaml",
        what: expect.stringMatching(/^its words call for it in \d{3,} of \d{4} everyday/),
        blocks: true,
      },
    ]);
    expect(await look("{ topics: [一下, 帮我, the, what] }")).toMatchObject([{ blocks: true }]);
    expect(await look("{ keywords: [天气] }")).toEqual([]);
  });

  test.each<[string, Tree, RegExp]>([
    ["no skill", { "README.md": "x" }, /holds no skill/],
    ["several", { "a/SKILL.md": "x", "b/SKILL.md": "x" }, /several skills.*a, b/],
    ["an id that is a path", { "skill.yaml": plainSkill.replace("weather", "../../evil") }, /id .*small letters/],
    ["an id with capitals", { "skill.yaml": plainSkill.replace("weather", "Weather") }, /small letters/],
    ["a manifest with a fault", { "skill.yaml": `${plainSkill}surprise: 1\n` }, /cannot be loaded[\s\S]*surprise/],
    ["names that are one elsewhere", { "skill.yaml": plainSkill, "a/X.md": "1", "a/x.md": "2" }, /one name/],
    ["a secret file", { "skill.yaml": plainSkill, ".env": "A=b" }, /not taken/],
  ])("refuses %s", async (_what, files, why) => {
    expect(await examine(files)).toMatchObject({ ok: false, problem: expect.stringMatching(why) });
  });

  test("finds the only skill of a repository, or the one that is named", async () => {
    expect(await examine({ "README.md": "x", "skills/weather/skill.yaml": plainSkill })).toMatchObject({ ok: true });
    const two = { "a/weather/skill.yaml": plainSkill, "a/rain/skill.yaml": plainSkill.replace("weather", "rain") };
    expect(await examine(two, { path: "a/rain" })).toMatchObject({
      ok: true,
      skill: { id: "rain", files: [{ path: "skill.yaml" }] },
    });
  });

  test.each([
    ["a server of its own files", { command: "node", args: ["server.js"] }, true],
    ["one by a path with dots", { command: "./server.js" }, true],
    ["one by an option", { command: "node", args: ["--import=server.js"] }, true],
    ["a server in a folder", { command: "npx", args: ["x@1.0.0"], cwd: "/srv" }, true],
    ["one by a variable of its own", { command: "node", env: { NODE_OPTIONS: "--require=server.js" } }, true],
    ["one in the words of a shell", { command: "sh", args: ["-c", "node 'server.js'; true"] }, true],
    ["one where skills lie", { command: "node", args: ["/data/skills/weather/other.js"] }, true],
    ["one by a default", { command: "${RUNNER:-./server.js}" }, true],
    ["one in a container", { command: "node", args: ["server.js"], sandbox: true }, true],
    ["a published server", { command: "npx", args: ["-y", "x@1.0.0"] }, false],
    ["a published server in a container", { command: "x", args: ["--level=1.5"], sandbox: true }, false],
  ])("%s: blocked or not", async (_what, server, blocked) => {
    const found = await examine({
      "skill.yaml": `${plainSkill}tools: { mcpConfig: mcp.json }\n`,
      "mcp.json": JSON.stringify({ mcpServers: { s: server } }),
      "server.js": "1",
    });
    expect(found.ok && found.skill.findings.some(({ blocks }) => blocks)).toBe(blocked);
  });

  test("its servers are shown as they are written, defaults and all, those in a container for themselves", async () => {
    const found = await examine({
      "skill.yaml": `${plainSkill}tools: { mcpConfig: mcp.json }\n`,
      "mcp.json": JSON.stringify({
        mcpServers: {
          a: { command: "${A_PROGRAM:-curl}", args: ["${A_PLACE:-https://x.example}", "$$5"] },
          b: { command: "x", sandbox: { image: "alpine:3" } },
          c: { url: "https://x.example/", headers: { "X-Key": "${A_KEY}" } },
          d: { url: "https://x.example/", oauth: { clientId: "me", clientSecret: "${A_SECRET}" } },
        },
      }),
    });
    expect(found).toMatchObject({
      ok: true,
      skill: {
        rights: {
          servers: [
            'a: "${A_PROGRAM:-curl}" "${A_PLACE:-https://x.example}" "$$5"',
            'c: https://x.example/ (headers X-Key="${A_KEY}")',
            'd: https://x.example/ (login clientId="me", clientSecret="${A_SECRET}")',
          ],
          walledServers: ['b: x (image "alpine:3")'],
        },
      },
    });
    if (!found.ok) throw new Error(found.problem);
    const shown = describeSkill(found.skill, found.origin, "zh").join("\n");
    expect(shown).toContain("在沙箱外启动或连接的 MCP 服务器：a: ");
    expect(shown).toContain("在容器里跑的 MCP 服务器：b: ");
  });

  test("an escaped dollar sign hides no variable: not from what is shown, and not in the text", async () => {
    const entry = (line: string) => `{"mcpServers":{"forecast":{"url":"https://api.example/?k=${line}"}}}`;
    const files = { "skill.yaml": `${plainSkill}tools: { mcpConfig: mcp.json }\n` };
    const hidden = String.raw`\u0024{KEY:-v1}`;
    const found = await examine({ ...files, "mcp.json": entry(hidden) });
    if (!found.ok) throw new Error(found.problem);
    expect(found.skill.rights).toMatchObject({
      servers: ["forecast: https://api.example/?k=${KEY:-v1}"],
      variables: ["KEY"],
    });
    const own = await examine({ ...files, "mcp.json": entry(String.raw`\u0024{KURISU_X:-1}`) });
    expect(own).toMatchObject({ ok: true, skill: { findings: [expect.objectContaining({ shown: "KURISU_X" })] } });
    const told = plainSkill.replace("先查，再说。", String.raw`"\x24{KEY:-x}"`);
    expect(await examine({ "skill.yaml": told })).toMatchObject({
      ok: true,
      skill: { findings: [{ what: "puts the environment into its text", blocks: true }] },
    });
  });

  test("a text that takes a part of the environment is blocked or not loaded", async () => {
    const found = await examine({
      "skill.yaml": plainSkill.replace("先查", "key ${OPENAI_API_KEY:-none}"),
      "mcp.json": JSON.stringify({ mcpServers: { s: { command: "x", env: { A: "${OPENAI_API_KEY}" } } } }),
    });
    expect(found.ok && found.skill.findings.filter(({ blocks }) => blocks)).toMatchObject([
      { path: "mcp.json", shown: "OPENAI_API_KEY" },
      { path: "skill.yaml" },
    ]);
  });
});

describe("an installed skill", () => {
  test("loads, and its lock names every byte, source and approver", async () => {
    const digest = await install({ "skill.yaml": plainSkill, "references/a.md": "x" });
    expect(load().skills).toMatchObject([{ id: "weather", installed: { digest } }]);
    expect(JSON.parse(readFileSync(place("skills.lock"), "utf8"))).toMatchObject({
      skills: {
        weather: {
          kind: "folder",
          source: join(folder, "source"),
          approver: "cli:test",
          date: expect.stringMatching(/^\d{4}-/),
          files: { "references/a.md": "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881" },
        },
      },
    });
  });

  test("the lock records the commit of a skill from a repository", async () => {
    const commit = makeRepository(join(folder, "r"), { "skill.yaml": plainSkill });
    const read = readSkillSource(`${join(folder, "r")}@${commit}`, { workingDirectory: folder });
    if (!read.ok) throw new Error(read.problem);
    const found = await store.examine(read.source);
    if (!found.ok) throw new Error(found.problem);
    expect(store.install(found.skill, toOrigin(read.source), { approver: "cli:test" })).toMatchObject({ ok: true });
    expect(store.verify()).toMatchObject([{ kind: "intact", locked: { kind: "git", commit } }]);
    expect(readdirSync(join(folder, "home", "quarantine"))).toEqual([]);
  });

  test.each<[string, () => void, RegExp]>([
    ["a byte changed", () => appendFileSync(place("weather", "skill.yaml"), " "), /skill\.yaml was changed/],
    ["a file added", () => writeFileSync(place("weather", "more.md"), "x"), /more\.md was added/],
    ["a file gone", () => rmSync(place("weather", "a.md")), /a\.md is missing/],
    ["a file in a new folder", () => writeTree(place("weather"), { "b/.x": "x" }), /b\/\.x was added/],
    [
      "a link in a file's place",
      () => {
        rmSync(place("weather", "a.md"));
        symlinkSync(place("weather", "skill.yaml"), place("weather", "a.md"));
      },
      /link/,
    ],
    ["its folder gone", () => rmSync(place("weather"), { recursive: true }), /cannot be read/],
    [
      "no line in the lock",
      () => writeFileSync(place("skills.lock"), '{"lockVersion":1,"skills":{}}'),
      /not in skills\.lock/,
    ],
    ["no lock", () => rmSync(place("skills.lock")), /not in skills\.lock/],
  ])("%s: it is off, and says so; the other stays", async (_what, harm, why) => {
    await install({ "skill.yaml": plainSkill, "a.md": "x" });
    const lockless = String(why).includes("lock");
    if (!lockless) await install({ "skill.yaml": plainSkill.replace("weather", "rain") });
    harm();
    const { skills, disabled } = load();
    expect(disabled).toMatchObject([{ id: "weather", problem: expect.stringMatching(why) }]);
    expect(skills.map(({ id }) => id)).toEqual(lockless ? [] : ["rain"]);
  });

  test("no skill loads while the lock is damaged", async () => {
    await install({ "skill.yaml": plainSkill });
    writeFileSync(place("skills.lock"), "{");
    expect(load()).toMatchObject({
      skills: [],
      disabled: [{ id: "weather", problem: expect.stringMatching(/no JSON/) }],
    });
    expect((await examine({ "skill.yaml": plainSkill.replace("weather", "rain") })).ok).toBe(true);
    expect(store.remove("weather")).toMatchObject({ ok: false });
  });

  test("the skill gets the variables that its mcp.json names, and no other", async () => {
    const servers = { s: { command: "x", env: { A: "${GIVEN}", B: "${OTHER:-b}" } } };
    await install({
      "skill.yaml": `${plainSkill.replace("先查", "${SECRET:-nothing}")}tools: { mcpConfig: mcp.json }\n`,
      "mcp.json": JSON.stringify({ mcpServers: servers }),
    });
    const [skill] = load({ GIVEN: "g", SECRET: "canary" }).skills;
    expect(skill?.mcpServers).toMatchObject([{ name: "s", skill: "weather", transport: { env: { A: "g", B: "b" } } }]);
    expect(skill?.context).toContain("nothing");
  });

  test("the skill is off when a variable would start its own files, which no check could see before", async () => {
    await install({
      "skill.yaml": `${plainSkill}tools: { mcpConfig: mcp.json }\n`,
      "mcp.json": JSON.stringify({ mcpServers: { s: { command: "node", args: ["${ENTRY}"] } } }),
      "server.js": "1",
    });
    expect(load({ ENTRY: "/usr/lib/published.js" }).disabled).toEqual([]);
    expect(load({ ENTRY: "server.js" })).toMatchObject({
      skills: [],
      disabled: [{ id: "weather", problem: expect.stringContaining("its own files") }],
    });
  });

  test("says of its servers nothing that only the operator can say", async () => {
    const servers = {
      s: { command: "x", readOnly: ["*"], sampling: { budget: 1000 } },
      r: {
        url: "https://m.example/mcp",
        oauth: { clientId: "c", redirectUrl: "https://evil.example/", origins: ["http://10.0.0.1"] },
      },
    };
    await install({
      "skill.yaml": `${plainSkill}tools: { mcpConfig: mcp.json }\n`,
      "mcp.json": JSON.stringify({ mcpServers: servers }),
    });
    const [s, r] = load().skills[0]?.mcpServers ?? [];
    expect(s).toMatchObject({ name: "s", readOnly: [] });
    expect(s?.sampling).toBeUndefined();
    expect(r?.transport).toMatchObject({ oauth: { clientId: "c", origins: [] } });
    expect(JSON.stringify(r)).not.toContain("evil");
  });

  test("the skill is off when it asks for one of Kurisu's own variables, whoever approved it", async () => {
    await install({
      "skill.yaml": `${plainSkill}tools: { mcpConfig: mcp.json }\n`,
      "mcp.json": JSON.stringify({ mcpServers: { s: { command: "x", env: { A: "${OPENAI_API_KEY:-}" } } } }),
    });
    expect(load({ OPENAI_API_KEY: "canary" })).toMatchObject({
      skills: [],
      disabled: [{ id: "weather", problem: expect.stringContaining("OPENAI_API_KEY") }],
    });
  });

  test("the store refuses a skill with an id from the config folder", async () => {
    const found = await examine({ "skill.yaml": plainSkill.replace("weather", "time") });
    if (!found.ok) throw new Error(found.problem);
    expect(store.install(found.skill, found.origin, { approver: "x" })).toMatchObject({ ok: false });
    await install({ "skill.yaml": plainSkill });
    expect(loadInstalled(store.folder, {}, ["weather"], isOwnVariable)).toMatchObject({
      skills: [],
      disabled: [{ id: "weather" }],
    });
  });

  test("the store replaces a skill only by one that names exactly its digest", async () => {
    const digest = await install({ "skill.yaml": plainSkill });
    const next = await examine({
      "skill.yaml": plainSkill.replace("1.0.0", "1.1.0"),
      "b.md": "new\n",
      "c.bin": Buffer.from([0, 1]),
    });
    if (!next.ok) throw new Error(next.problem);
    expect(store.install(next.skill, next.origin, { approver: "x" })).toMatchObject({ ok: false });
    expect(store.install(next.skill, next.origin, { approver: "x", over: "0".repeat(64) })).toMatchObject({
      ok: false,
    });
    const [before] = store.verify();
    const shown = compareSkills(before?.kind === "intact" ? before.files : [], next.skill.files).join("\n");
    for (const part of ["-version: 1.0.0", "+version: 1.1.0", "--- /dev/null\n+++ b/b.md", "+new", "c.bin: added"])
      expect(shown).toContain(part);
    expect(store.install(next.skill, next.origin, { approver: "x", over: digest })).toMatchObject({ ok: true });
    expect(load().skills).toMatchObject([{ version: "1.1.0" }]);
    expect(readdirSync(join(folder, "home", "quarantine"))).toEqual([]);
  });

  test("a removed skill is gone, even if it was changed", async () => {
    await install({ "skill.yaml": plainSkill });
    appendFileSync(place("weather", "skill.yaml"), "x");
    expect(store.remove("weather")).toEqual({ ok: true });
    expect([existsSync(place("weather")), load()]).toEqual([false, { skills: [], disabled: [] }]);
    expect(store.remove("weather")).toMatchObject({ ok: false });
    expect(store.remove("../../home")).toMatchObject({ ok: false });
    expect(existsSync(store.folder)).toBe(true);
  });

  test("never runs: no file of it is imported, read as a module or started", async () => {
    const mark = join(folder, "ran");
    const code = `require("node:fs").writeFileSync(${JSON.stringify(mark)}, "x")`;
    await install({
      "skill.yaml": plainSkill,
      "index.js": code,
      "package.json": JSON.stringify({
        main: "index.js",
        scripts: { install: `touch ${mark}`, postinstall: `touch ${mark}` },
      }),
      "scripts/setup.sh": `#!/bin/sh\ntouch ${mark}\n`,
      "skill.js": code,
    });
    expect(load().skills).toHaveLength(1);
    expect(existsSync(mark)).toBe(false);
  });
});
