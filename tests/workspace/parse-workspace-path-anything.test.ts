import { posix } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseWorkspacePath } from "../../src/workspace/parse-workspace-path.ts";

const piece = fc.constantFrom(
  "a",
  "b.txt",
  ".",
  "..",
  "/",
  "//",
  "/workspace",
  "\\",
  "\0",
  "~",
  ":",
  "％",
  "．",
  "／",
  "%2e",
  "研",
  " ",
  "…",
);
const anyPath = fc.oneof(
  fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join("")),
  fc
    .array(fc.oneof(piece, fc.string({ unit: "grapheme", maxLength: 6 })), { maxLength: 8 })
    .map((pieces) => pieces.join("/")),
  fc.string({ unit: "binary", maxLength: 40 }),
);

describe("the path resolver's first half, on anything", () => {
  it("lets nothing through that another resolver would put outside", () => {
    fc.assert(
      fc.property(anyPath, (path) => {
        const parsed = parseWorkspacePath(path);
        if (!parsed.ok) return;
        // Independent: resolve by Node's rules, as written and as a careless reader could normalise or decode it.
        const readings = [path, path.normalize("NFKC"), path.replaceAll("\\", "/")];
        for (const reading of readings) {
          const resolved = posix.resolve("/workspace", reading);
          expect(resolved === "/workspace" || resolved.startsWith("/workspace/")).toBe(true);
        }
        expect(posix.resolve("/workspace", path)).toBe(posix.join("/workspace", parsed.relative).replace(/\/$/, ""));
        for (const part of parsed.parts) expect(part).toMatch(/^(?!\.{1,2}$)[^/\\\0]+$/u);
        expect(parseWorkspacePath(parsed.relative)).toEqual(parsed);
      }),
      { numRuns: 2000 },
    );
  });
});
