import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { loadConfiguration } from "../../src/config.ts";
import { listSkillServers } from "../../src/features/skills/list-skill-servers.ts";
import { formatFault } from "../../src/core/yaml-file.ts";
import { listMcpServers, mcpFileSchema } from "../../src/features/mcp/servers/mcp-file.ts";
import { plainSkill } from "../support/skill-source.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const bring = (id: string, names: readonly string[], installed?: { digest: string; source: string }) => ({
  id,
  folder: `/${id}`,
  mcpServers: listMcpServers(
    mcpFileSchema.parse({ mcpServers: Object.fromEntries(names.map((name) => [name, { command: "x" }])) }),
    id,
  ),
  ...(installed && { installed }),
});
const installed = { digest: "d", source: "s" };

it.each([
  ["in the order of the ids", [bring("b", ["two"]), bring("a", ["one"])], [], ["a one", "b two"], []],
  [
    "a name of config/mcp.json is taken",
    [bring("a", ["one", "mine"])],
    ["mine"],
    ["a one"],
    ["/a/mcp.json:1:1 mcpServers.mine: is the name of a server of config/mcp.json; this one is left out"],
  ],
  [
    "the first skill has a name",
    [bring("b", ["one"]), bring("a", ["one"])],
    [],
    ["a one"],
    ["/b/mcp.json:1:1 mcpServers.one: is the name of a server of the skill a; this one is left out"],
  ],
  [
    "what is installed takes no name from the operator's own, whatever its id",
    [bring("a", ["one"], installed), bring("z", ["one"])],
    [],
    ["z one"],
    ["/a/mcp.json:1:1 mcpServers.one: is the name of a server of the skill z; this one is left out"],
  ],
])("%s", (_what, skills, taken, servers, warnings) => {
  const found = listSkillServers(skills, taken);
  expect(found.servers.map(({ name, skill }) => `${skill} ${name}`)).toEqual(servers);
  expect(found.warnings.map(formatFault)).toEqual(warnings);
});

it("stand after those of config/mcp.json, whose switched-off names stay taken, and their secrets count; excluded skills and shared ones bring none", async () => {
  const root = await createTemporaryFolder();
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const skill = (id: string) => `${plainSkill.replace("weather", id)}tools: { mcpConfig: mcp.json }\n`;
  const servers = (file: object) => JSON.stringify({ mcpServers: file });
  write("config/mcp.json", servers({ zed: { command: "x" }, off: { command: "x", disabled: true } }));
  write("config/skills/b/skill.yaml", skill("b"));
  write(
    "config/skills/b/mcp.json",
    servers({ own: { command: "x", env: { API_KEY: "${B_KEY}" } }, off: { command: "x" } }),
  );
  write("config/skills/c/skill.yaml", skill("c"));
  write("config/skills/c/mcp.json", servers({ gone: { command: "x" } }));
  write("config/system/skills.yaml", "exclude: [c]\n");
  write(".agents/skills/d/SKILL.md", "---\nname: d\ndescription: draws\n---\nText\n");
  write(".agents/skills/d/skill.yaml", skill("d"));
  write(".agents/skills/d/mcp.json", servers({ shared: { command: "evil" } }));
  const load = (key: string) =>
    loadConfiguration({
      environment: { KURISU_HOME: join(root, "home"), B_KEY: key, PATH: "/bin", SECRET_OF_OURS: "x" },
      configFolder: join(root, "config"),
      workingDirectory: root,
    });
  const { mcp, secrets, skills } = load("c4nary-one");
  expect(mcp.servers.map(({ name, skill: of }) => [name, of])).toEqual([
    ["zed", undefined],
    ["own", "b"],
  ]);
  expect(skills.find("d")?.origin).toBe("shared");
  expect(skills.warnings.map(({ key }) => key)).toContain("mcpServers.off");
  expect(mcp.inherited).toEqual({ PATH: "/bin" });
  expect(secrets).toContain("c4nary-one");
  expect(load("c4nary-two").secrets).toContain("c4nary-two");
});
