import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { formatFault } from "../../../src/core/yaml-file.ts";
import { loadSkills } from "../../../src/features/skills/loader/load-skills.ts";
import { loadSkillRegistry } from "../../../src/features/skills/skill-registry.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

let folder: string;
beforeEach(async () => {
  folder = await createTemporaryFolder();
});

function write(id: string, text: string, base = folder): void {
  mkdirSync(join(base, id), { recursive: true });
  writeFileSync(join(base, id, "SKILL.md"), text);
}

const load = () => loadSkills(folder, { SECRET: "s3cret" });
const warnings = () => load().warnings.map((one) => formatFault(one).replace(`${folder}/`, ""));
const faults = () => load().faults.map((one) => formatFault(one).replace(`${folder}/`, ""));

describe("SKILL.md", () => {
  it("the loader reads SKILL.md as the standard says, with our keys under metadata", () => {
    write(
      "pdf-forms",
      `---
name: pdf-forms
description: Fill PDF forms. Use when somebody sends a form.
license: MIT
compatibility: needs python
allowed-tools: Bash(git:*) ReadFile custom_tool
metadata:
  author: someone
  version: "1.2.0"
  kurisu-name: 填表
  kurisu-keywords: "填PDF, PDF表单"
  kurisu-requires-bins: sh
  kurisu-requires-env: "A_KEY, OTHER"
---

# Steps

Use \${SECRET} as it stands. ---
`,
    );
    const [skill] = load().skills;
    expect(skill).toMatchObject({
      id: "pdf-forms",
      name: "填表",
      version: "1.2.0",
      description: "Fill PDF forms. Use when somebody sends a form.",
      type: "knowledge",
      language: "en",
      origin: "config",
      trigger: { keywords: ["填PDF", "PDF表单", "pdf-forms"], topics: [], intents: [] },
      requires: { bins: ["sh"], env: ["A_KEY", "OTHER"], tools: [] },
      tools: { builtin: ["shell", "file_read", "custom_tool"], network: [] },
    });
    expect(skill?.context).toBe("# Steps\n\nUse ${SECRET} as it stands. ---");
    expect([warnings(), faults()]).toEqual([[], []]);
  });

  it("the loader uses what it can of SKILL.md, with a warning", () => {
    write("colon", "---\nname: colon\ndescription: Use when: it rains\n---\nbody\n");
    write("nameless", "\ufeff---\r\ndescription: 没有名字\r\nmodel: gpt\r\n---\r\nbody\r\n");
    write("renamed", "---\nname: Other_Name\ndescription: x\nmetadata:\n  kurisu-colour: red\n---\n");
    expect(load().skills.map(({ id, description, context }) => [id, description, context])).toEqual([
      ["colon", "Use when: it rains", "body"],
      ["nameless", "没有名字", "body"],
      ["renamed", "x", ""],
    ]);
    expect(warnings()).toEqual([
      "colon/SKILL.md:2:1 has values with a colon that should be in quotes",
      "nameless/SKILL.md:2:1 name: is missing; the folder's name is taken",
      "nameless/SKILL.md:3:1 model: is not a key of the standard; put it under metadata",
      "renamed/SKILL.md:2:1 name: should be the folder's name, renamed",
      "renamed/SKILL.md:4:1 metadata: kurisu-colour is not known",
    ]);
  });

  it.each([
    ["no-head", "# only text\n", "no-head/SKILL.md:1:1 does not begin with frontmatter between two lines of ---"],
    ["no-end", "---\nname: x\n", "no-end/SKILL.md:1:1 does not begin with frontmatter between two lines of ---"],
    [
      "silent",
      "---\nname: silent\ndescription: ' '\n---\n",
      "silent/SKILL.md:3:1 description: is needed: what it does and when",
    ],
    ["broken", "---\nname: [a\ndescription: x\n---\n", /^broken\/SKILL\.md:\d+:\d+ is no valid YAML/],
    ["list", "---\n- a\n---\n", "list/SKILL.md:2:1 has no keys in its frontmatter"],
    ["Bad_Name", "---\ndescription: x\n---\n", /^Bad_Name\/SKILL\.md:1:1 name: lies in a folder/],
    [
      "program",
      "---\ndescription: x\nmetadata: { kurisu-requires-bins: '../sh' }\n---\n",
      /^program\/SKILL\.md:3:1 metadata: /,
    ],
  ])("%s is refused with its place", (id, text, fault) => {
    write("good", "---\nname: good\ndescription: fine\n---\n");
    write(id, text);
    const lines = faults();
    expect(lines).toHaveLength(1);
    const wanted = typeof fault === "string" ? lines[0] === fault : fault.test(lines[0] ?? "");
    expect({ line: lines[0], wanted }).toMatchObject({ wanted: true });
    expect(load().skills.map((skill) => skill.id)).toEqual(["good"]);
  });

  it("a faulty SKILL.md does not stop the start, and a skill.yaml beside it wins", () => {
    write("bad", "no frontmatter\n");
    write("both", "---\ndescription: x\n---\nfrom markdown\n");
    writeFileSync(
      join(folder, "both", "skill.yaml"),
      "id: both\nname: b\nversion: 1.0.0\ntype: knowledge\ntrigger: {}\ncontext: from yaml\n",
    );
    const loaded = loadSkillRegistry({ folder, environment: {} });
    expect(loaded).toMatchObject({ kind: "loaded", registry: { faults: [{ file: join(folder, "bad/SKILL.md") }] } });
    expect(loaded.kind === "loaded" && loaded.registry.find("both")?.context).toBe("from yaml");
  });
});

describe("folders that other agents read, too", () => {
  it("bring SKILL.md only, the first one of an id wins, and config before all", async () => {
    const [project, home] = [await createTemporaryFolder(), await createTemporaryFolder()];
    write("own", "---\nname: own\ndescription: mine\n---\n");
    write("own", "---\nname: own\ndescription: theirs\n---\n", project);
    write("tool", "---\nname: tool\ndescription: project\n---\n", project);
    write("tool", "---\nname: tool\ndescription: home\n---\n", home);
    write("wrong", "no frontmatter\n", home);
    mkdirSync(join(project, "yaml"));
    writeFileSync(join(project, "yaml", "skill.yaml"), "id: yaml\nname: y\nversion: 1.0.0\ntype: tool\ntrigger: {}\n");
    writeFileSync(join(project, "tool", "mcp.json"), '{"mcpServers":{"x":{"command":"evil"}}}');
    const loaded = loadSkillRegistry({ folder, environment: {}, shared: [project, home, join(home, "none")] });
    if (loaded.kind === "faulty") throw new Error("what others wrote stopped the start");
    const { registry } = loaded;
    expect(registry.list().map(({ id, description, origin }) => [id, description, origin])).toEqual([
      ["own", "mine", "config"],
      ["tool", "project", "shared"],
    ]);
    expect(registry.find("tool")?.mcpServers).toEqual([]);
    expect(registry.warnings.map(({ file, problem }) => `${file} ${problem}`)).toEqual([
      `${join(project, "own/SKILL.md")} has the id of ${join(folder, "own")}, which is used`,
      expect.stringContaining("wrong/SKILL.md does not begin with frontmatter"),
      `${join(home, "tool/SKILL.md")} has the id of ${join(project, "tool")}, which is used`,
    ]);
  });
});
