import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { environmentNames } from "../../src/config/environment.ts";
import { composeVariables } from "../../src/config/unknown-variables.ts";
import { loadConfiguration } from "../../src/config.ts";
import { ConfigFolder } from "../support/config-folder.ts";

describe("a misspelt variable", () => {
  let folder: ConfigFolder;
  beforeEach(() => {
    folder = new ConfigFolder();
  });
  afterEach(() => folder.remove());

  const load = (own: Record<string, string>, all = own) =>
    loadConfiguration({ environment: all, own, workingDirectory: folder.path });
  const writeEnv = (text: string) => writeFileSync(join(folder.path, ".env"), text, { mode: 0o600 });

  it("the variable is named with the nearest known one, and its value is not shown", () => {
    writeEnv("ONEBOT_ACCES_TOKEN=hush-1\nTELEGRAM_BOT_TOKN=hush-2\nKURISU_PROT=8080\nSOMETHING_ELSE=hush-3\n");
    const { unknownVariables } = load({ KURISU_LANGUAG: "ja", OTHER_PROGRAM: "x" });
    expect(unknownVariables).toEqual([
      "KURISU_PROT of .env is not a known variable; did you mean KURISU_PORT?",
      "ONEBOT_ACCES_TOKEN of .env is not a known variable; did you mean ONEBOT_ACCESS_TOKEN?",
      "SOMETHING_ELSE of .env is not a known variable and has no effect",
      "TELEGRAM_BOT_TOKN of .env is not a known variable; did you mean TELEGRAM_BOT_TOKEN?",
      "KURISU_LANGUAG of the environment is not a known variable; did you mean KURISU_LANGUAGE?",
    ]);
  });

  it("the variable does not wait for a restart", () => {
    writeEnv("KURISU_PROT=8080\nKURISU_PORT=8080\n");
    expect(load({}, { KURISU_OLD_ONE: "x" }).changedVariables).toEqual(["KURISU_PORT"]);
  });

  it("the check passes over a variable that a file refers to, that a container or a program gets, or that scripts set", () => {
    folder.write("config/mcp.json", '{"mcpServers":{"a":{"command":"a","env":{"K":"${FORGE_KEY}"}}}}');
    writeEnv("FORGE_KEY=1\nTZ=UTC\nhttps_proxy=\nCOMPOSE_PROFILES=qq\nQQ_ACCOUNT=1\nNODE_OPTIONS=\nLC_TIME=C\n");
    const own = { KURISU_OPERATOR_PATH: "/bin", KURISU_TEST_FULL: "1", KURISU_UID: "1" };
    expect(load(own, { ...own, FORGE_KEY: "1" }).unknownVariables).toEqual([]);
  });

  it("the check knows every variable of docker-compose.yml and .env.example", () => {
    const read = (name: string) => readFileSync(join(import.meta.dirname, "../..", name), "utf8");
    const filled = [...read("docker-compose.yml").matchAll(/(?<!\$)\$\{([A-Z_]+)/g)].map(([, name]) => name);
    const shown = [...read(".env.example").matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name);
    const others = [...filled, ...shown].filter((name) => name !== "PWD" && !environmentNames.includes(name ?? ""));
    expect(new Set(others)).toEqual(new Set(composeVariables));
  });
});
