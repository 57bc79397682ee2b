import { expect, it } from "vitest";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isEnvFileUnread, listChangedVariables, readEnvFile } from "../../src/config/env-file.ts";

it.each<readonly [string | undefined, Readonly<Record<string, string>>, boolean]>([
  [undefined, {}, false],
  ["# only words\n#QQ_APP_ID=1\nQQ_APP_SECRET=\n", {}, false],
  ["QQ_APP_ID=1\n", {}, true],
  ["QQ_APP_ID=1\r\nexport LOG_LEVEL=info\r\n", { QQ_APP_ID: "1", LOG_LEVEL: "info" }, false],
  ["QQ_APP_ID=1\nexport LOG_LEVEL=info\n", { QQ_APP_ID: "1" }, true],
])("a .env of %j is unread beside %j: %s", (text, environment, unread) => {
  const folder = mkdtempSync(join(tmpdir(), "kurisu-env-"));
  try {
    const file = join(folder, ".env");
    if (text !== undefined) writeFileSync(file, text);
    expect(isEnvFileUnread(file, environment)).toBe(unread);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("is read if nobody else can read it, and never says where the data and the settings are", () => {
  const folder = mkdtempSync(join(tmpdir(), "kurisu-env-"));
  try {
    const file = join(folder, ".env");
    expect(readEnvFile(file)).toEqual({});
    writeFileSync(file, "# mine\nQQ_APP_ID=1 # the number\nKURISU_HOME=/tmp/theirs\nexport LOG_LEVEL='info'\n");
    for (const [mode, read] of [
      [0o600, { QQ_APP_ID: "1", LOG_LEVEL: "info" }],
      [0o400, { QQ_APP_ID: "1", LOG_LEVEL: "info" }],
      [0o640, {}],
      [0o604, {}],
      [0o620, {}],
    ] as const) {
      chmodSync(file, mode);
      expect({ mode, read: readEnvFile(file) }).toEqual({ mode, read });
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("is compared with what the start found in it, but for what the process itself was given", () => {
  const folder = mkdtempSync(join(tmpdir(), "kurisu-env-"));
  try {
    const file = join(folder, ".env");
    const own = { LOG_LEVEL: "debug", PATH: "/bin" };
    const write = (text: string) => writeFileSync(file, text, { mode: 0o600 });
    write("QQ_APP_ID=1\nLOG_LEVEL=info\n");
    const all = { ...readEnvFile(file), ...own };
    expect(listChangedVariables(file, { own, all })).toEqual([]);
    write("QQ_APP_ID=2\nLOG_LEVEL=warn\nKURISU_MODEL=offline\n");
    expect(listChangedVariables(file, { own, all })).toEqual(["KURISU_MODEL", "QQ_APP_ID"]);
    rmSync(file);
    expect(listChangedVariables(file, { own, all })).toEqual(["QQ_APP_ID"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
