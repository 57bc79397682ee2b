import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AppError, describeError, errorCatalogue, type ErrorCode } from "../../src/core/errors.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/errors.md"), "utf8");

describe("docs/errors.md", () => {
  it("lists every code with its exit code and meaning, in the order of the catalogue, and a remedy", () => {
    const rows = [...page.matchAll(/^\| `([A-Z_]+)` \| (\d+) \| (.+?) \| (.+?) \|$/gm)];
    const listed = rows.map(([, code, exit, meaning]) => [code, Number(exit), meaning]);
    const known = Object.entries(errorCatalogue).map(([code, { exit, meaning }]) => [code, exit, meaning]);
    expect(listed).toEqual(known);
    expect(rows.filter(([, , , , remedy = ""]) => remedy.length < 10)).toEqual([]);
  });
});

describe("AppError", () => {
  it("carries its code, its exit code and what caused it", () => {
    const cause = new Error("ENOSPC");
    const error = new AppError("STORE_FAILED", "The disk is full.", { cause });
    expect(error).toMatchObject({ name: "AppError", code: "STORE_FAILED", message: "The disk is full.", cause });
    for (const [code, { exit }] of Object.entries(errorCatalogue)) {
      expect(new AppError(code as ErrorCode, "").exitCode).toBe(exit);
      expect([1, 69, 78]).toContain(exit);
    }
  });

  it("describeError returns the message of an AppError, and a text for any other value", () => {
    expect(describeError(new AppError("USAGE", "no such option"))).toBe("no such option");
    expect(describeError("gone")).toBe("gone");
    expect(describeError(undefined)).toBe("undefined");
  });
});
