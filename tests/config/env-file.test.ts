import { expect, it } from "vitest";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isEnvFileUnread, readEnvFile } from "../../src/config/env-file.ts";

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
