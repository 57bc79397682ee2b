import { expect, it } from "vitest";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isEnvFileUnread } from "../../src/config/is-env-file-unread.ts";

it.each<readonly [string | undefined, Readonly<Record<string, string>>, boolean]>([
  [undefined, {}, false],
  ["# only words\n#QQ_APP_ID=1\nQQ_APP_SECRET=\n", {}, false],
  ["QQ_APP_ID=1\n", {}, true],
  ["QQ_APP_ID=1\r\nexport LOG_LEVEL=info\r\n", { QQ_APP_ID: "1", LOG_LEVEL: "info" }, false],
  ["QQ_APP_ID=1\nexport LOG_LEVEL=info\n", { QQ_APP_ID: "1" }, true],
])("a .env of %j is unread beside %j: %s", (text, environment, unread) => {
  const folder = mkdtempSync(join(tmpdir(), "kurisu-env-"));
  try {
    if (text !== undefined) writeFileSync(join(folder, ".env"), text);
    expect(isEnvFileUnread(folder, environment)).toBe(unread);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
