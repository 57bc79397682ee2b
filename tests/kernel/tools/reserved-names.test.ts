import { afterEach, beforeEach, expect, it } from "vitest";
import { inspect } from "../../../src/assembly/inspect.ts";
import { toolNames } from "../../../src/assembly/features.ts";
import { ConfigFolder } from "../../support/config-folder.ts";

let folder: ConfigFolder;
beforeEach(() => {
  folder = new ConfigFolder();
});
afterEach(() => folder.remove());

it("every tool of the table has a name that no file, request or second tool may take", async () => {
  const { registry, sandbox } = await inspect(folder.load());
  const names = registry.list().map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["shell", "task", "use_tool", "install_extension", "mcp_read"]));
  expect(names.filter((name) => !toolNames.isOurs(name))).toEqual([]);
  for (const alias of ["web_fetch", "Bash"]) expect(toolNames.isOurs(alias)).toBe(true);
  await sandbox.stop();
});

it.each(["task", "dmail", "use_skill", "mcp__github__get", "web_fetch", "time", "shell"])(
  "%s is refused to http and to a second tool",
  (name) => {
    folder.write("config/system/tools.yaml", `http: { ${name}: { description: A lamp., endpoint: http://home.lan/ } }`);
    expect(folder.faults()).toEqual([
      expect.stringMatching(`tools.yaml:1:\\d+ http.${name}: ${name} is the name of a tool of Kurisu's`),
    ]);
    folder.write("config/system/tools.yaml", `tools: { ${name}: { use: glob } }`);
    expect(folder.faults()).toHaveLength(1);
  },
);

it("only the line conflicts gives http a built-in's name, and no line gives it a reserved one", () => {
  const write = (name: string) =>
    folder.write(
      "config/system/tools.yaml",
      `conflicts: [http]\nhttp: { ${name}: { description: A clock., endpoint: http://home.lan/ } }`,
    );
  write("time");
  expect(() => folder.load()).not.toThrow();
  write("dmail");
  expect(folder.faults()).toHaveLength(1);
});
