import { expect, it } from "vitest";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findEnvFileFault, listChangedVariables, readEnvFile, type EnvFileFault } from "../../src/config/env-file.ts";

it.each<readonly [string, Buffer | undefined, number, Readonly<Record<string, string>>, EnvFileFault | undefined]>([
  ["that is not there", undefined, 0o600, {}, undefined],
  ["of comments alone", Buffer.from("# only words\n#QQ_APP_ID=1\nQQ_APP_SECRET=\n"), 0o644, {}, undefined],
  ["that others can read", Buffer.from("QQ_APP_ID=1\n"), 0o644, {}, "open"],
  ["that is private", Buffer.from("QQ_APP_ID=1\n"), 0o600, {}, undefined],
  [
    "whose lines the environment has",
    Buffer.from("QQ_APP_ID=1\r\nexport A=b\r\n"),
    0o644,
    { QQ_APP_ID: "1", A: "b" },
    undefined,
  ],
  ["of which a line is missing", Buffer.from("QQ_APP_ID=1\nexport A=b\n"), 0o644, { QQ_APP_ID: "1" }, "open"],
  ["in UTF-16 with a mark", Buffer.from("\uFEFFQQ_APP_ID=1\r\n", "utf16le"), 0o600, {}, "utf16"],
  ["in UTF-16 without a mark", Buffer.from("QQ_APP_ID=1\r\n", "utf16le"), 0o600, {}, "utf16"],
])("a .env %s is told of where it is left out", (_, bytes, mode, environment, fault) => {
  const folder = mkdtempSync(join(tmpdir(), "kurisu-env-"));
  try {
    const file = join(folder, ".env");
    if (bytes !== undefined) writeFileSync(file, bytes, { mode });
    expect(findEnvFileFault(file, environment)).toBe(fault);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("a .env that cannot be opened is told of", () => {
  const folder = mkdtempSync(join(tmpdir(), "kurisu-env-"));
  try {
    // Root may open every file, but a folder has no lines.
    mkdirSync(join(folder, ".env"));
    expect(findEnvFileFault(join(folder, ".env"), {})).toBe("unreadable");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("loses the byte order mark that Windows puts before it", () => {
  const folder = mkdtempSync(join(tmpdir(), "kurisu-env-"));
  try {
    const file = join(folder, ".env");
    writeFileSync(file, "\uFEFFQQ_APP_ID=1\n", { mode: 0o600 });
    expect(readEnvFile(file)).toEqual({ QQ_APP_ID: "1" });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("readEnvFile reads only a file that no other user can read, and ignores its folder variables", () => {
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

it("listChangedVariables ignores process variables when comparing .env with its state at start", () => {
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
