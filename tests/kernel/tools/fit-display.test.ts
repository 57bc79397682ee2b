import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { fitDisplay, placePicture } from "../../../src/kernel/tools/fit-display.ts";
import { scrubResult } from "../../../src/kernel/tools/scrub-result.ts";
import type { ToolDisplay, ToolResult } from "../../../src/kernel/tools/types.ts";

const diff = (text: string): ToolDisplay & { kind: "diff" } => ({ kind: "diff", text });
const done = (display: ToolDisplay): ToolResult => ({ ok: true, output: 1, display });
const lines = (count: number, text: string): string => `${text}\n`.repeat(count);

const table = (rows: number, cell = "x"): ToolDisplay & { kind: "table" } => ({
  kind: "table",
  header: ["a", "b"],
  rows: Array.from({ length: rows }, () => [cell, "y"]),
});

describe("the display of a call", () => {
  it.each<[string, ToolDisplay, { asked?: boolean; hidden?: boolean }, ToolDisplay | undefined]>([
    ["a short difference", diff("+a\n-b\n"), {}, diff("+a\n-b")],
    ["of a difference 30 lines", diff(lines(33, "+a")), {}, { ...diff(lines(30, "+a").trimEnd()), left: 3 }],
    [
      "of a difference 1,200 characters",
      diff(lines(7, "x".repeat(199))),
      {},
      { ...diff(lines(6, "x".repeat(199)).trimEnd()), left: 1 },
    ],
    ["of a line 200 characters", diff(`+${"x".repeat(300)}`), {}, diff(`+${"x".repeat(198)}…`)],
    ["nothing of texts that do not differ", diff(""), {}, undefined],
    ["nothing of a change that was read in the question", diff("+a"), { asked: true }, undefined],
    ["nothing of a hidden tool", table(1), { hidden: true }, undefined],
    ["a table, also after a question", table(1), { asked: true }, table(1)],
    ["of a table six rows", table(9), {}, { ...table(6), left: 3 }],
    ["nothing of an empty table", table(0), {}, undefined],
    ["a cell as one line of 60 characters", table(1, `p\n q${"x".repeat(90)}`), {}, table(1, `p q${"x".repeat(56)}…`)],
  ])("the display is %s", (_, display, { asked = false, hidden }, shown) => {
    expect(fitDisplay(done(display), { asked, hidden, confirmed: asked })).toEqual({
      ok: true,
      output: 1,
      ...(shown && { display: shown }),
    });
  });

  it("a failed call has no display", () => {
    const failed = { ok: false, error: "no", display: diff("+a") } as const;
    expect(fitDisplay(failed, { asked: false })).toEqual({ ok: false, error: "no" });
  });

  it("the display of a picture has its file and digest, and whether a person confirmed it", () => {
    const shown: ToolDisplay = { kind: "image", title: ` a\n${"x".repeat(200)}` };
    const data = Buffer.from("pixels").toString("base64");
    const result = { ...done(shown), parts: [{ type: "image", mimeType: "image/png", data }] } as const;
    const fitted = fitDisplay(result, { asked: true, confirmed: true });
    const kept = { type: "image", mimeType: "image/png", path: "results/a.png", bytes: 6 } as const;
    const placed = placePicture(result, { ...fitted, ok: true, output: 1, parts: [kept] });
    expect(placed.display).toEqual({
      kind: "image",
      title: `a ${"x".repeat(97)}…`,
      confirmed: true,
      file: { path: "results/a.png", bytes: 6, sha256: createHash("sha256").update("pixels").digest("hex") },
    });
    expect(placePicture({}, { ok: true, output: 1, display: shown })).toEqual({ ok: true, output: 1 });
  });

  it("holds no secret", () => {
    const scrub = (text: string): string => text.replaceAll("tiger", "[secret]");
    expect(scrubResult(done(diff("+tiger")), scrub)).toMatchObject({ display: { text: "+[secret]" } });
    const shown = scrubResult(done({ kind: "table", header: ["tiger"], rows: [["a tiger"]] }), scrub);
    expect(shown).toMatchObject({ display: { header: ["[secret]"], rows: [["a [secret]"]] } });
  });
});
