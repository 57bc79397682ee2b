import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describePreview } from "../../../src/features/preview/render-preview.ts";
import type { PreviewReport } from "../../../src/features/preview/previewer.ts";
import type { TreeChange } from "../../../src/features/preview/trees/compare-trees.ts";
import { diffTexts } from "../../../src/workspace/unified-diff.ts";

type Used = Extract<PreviewReport, { kind: "used" }>;

const file = (text: string, mode = 0o644) =>
  ({ kind: "file", mode, size: Buffer.byteLength(text), digest: text }) as const;

const change = (path: string, before: string | undefined, after: string | undefined): TreeChange => ({
  path,
  ...(before !== undefined && { before: file(before) }),
  ...(after !== undefined && { after: file(after) }),
  content: { kind: "text", ...diffTexts(before ?? "", after ?? "") },
});

function used(changes: readonly TreeChange[], more: Partial<Used> = {}): Used {
  const output = { exit_code: 0, stdout: "", stderr: "", timed_out: false, truncated: false };
  return {
    kind: "used",
    result: [{ kind: "ran", tool: "shell", result: { ok: true, output }, timingMs: 1234 }],
    skipped: [],
    comparison: { kind: "compared", changes, unseen: [] },
    ...more,
  };
}

const ran = (output: object) =>
  used([], { result: [{ kind: "ran", tool: "shell", result: { ok: true, output: { ...output } }, timingMs: 50 }] });

describe("a preview", () => {
  it("counts files and lines, lists them, and shows the beginning of the difference", () => {
    const text = describePreview(
      used([
        change("a.md", "1\n2\n", "1\n3\n4\n"),
        { path: "bin", before: file("x"), after: file("xyz"), content: { kind: "binary" } },
        { path: "new", after: { kind: "folder", mode: 0o755 } },
        { path: "new/link", after: { kind: "link", target: "/etc" } },
        change("old.md", "gone\n", undefined),
        { path: "run.sh", before: file("x"), after: file("x", 0o755) },
        { path: "turned", before: file("x"), after: { kind: "link", target: "a.md" }, content: { kind: "lost" } },
      ]),
      "K7",
      "zh",
    );
    expect(text.replaceAll(/^│ /gm, "").split("\n")).toEqual([
      "K7 的预览，在工作区的副本上，没有联网：",
      "`shell` 退出码 0，1.2 秒 · 没有输出",
      "改动 6 个文件，+2 −2：",
      "（其中 2 个没有数行数：太大，或者不是文本）",
      "```",
      "~ a.md  +2  −1",
      "~ bin  1 → 3 B",
      "+ new/link → /etc",
      "- old.md  −1",
      "~ run.sh  644 → 755",
      "~ turned → a.md  file → link  1 B",
      "```",
      "```",
      "--- a/a.md",
      "+++ b/a.md",
      "@@ -1,2 +1,3 @@",
      " 1",
      "-2",
      "+3",
      "+4",
      "--- a/old.md",
      "+++ /dev/null",
      "@@ -1,1 +0,0 @@",
      "-gone",
      "```",
    ]);
  });

  it("shows both streams, the end and the time limit", () => {
    const text = describePreview(
      ran({ exit_code: 137, stdout: "out\n", stderr: "err\n", timed_out: true }),
      "K7",
      "en",
    );
    expect(text).toContain("`shell` exit code 137, 0.1 s · stopped when its time was up\n```\n│ out\n```\n");
    expect(text).toContain("```\n│ stderr:\n│ err\n```");
    expect(text).toContain("No file changed.");
  });

  it("stays short, however much was said and changed", () => {
    const many = Array.from({ length: 400 }, (_, at) => change(`${"目录".repeat(40)}/${at}`, "", "x\n".repeat(90)));
    const report = {
      ...used(many),
      result: ran({ exit_code: 0, stdout: "y".repeat(1e6), stderr: "z".repeat(1e6), timed_out: false }).result,
      skipped: Array.from({ length: 900 }, (_, at) => ({ path: `pipe${at}`, why: "pipe" as const })),
    };
    const text = describePreview(report, "K7", "zh");
    expect(text.length).toBeLessThan(7_000);
    expect(text).toContain("改动 400 个文件，+36000 −0：");
    expect(text).toMatch(/还有 3\d\d 个文件没列出来。/);
    expect(text).toMatch(/还有 \d+ 行差异没列出来。/);
    expect(text).toContain("pipe0, pipe1, pipe2, pipe3, pipe4, …");
  });

  it("takes no longer for many empty folders than for a few", () => {
    const changes = Array.from({ length: 20_000 }, (_, at): TreeChange => {
      return { path: `folder ${at}`, after: { kind: "folder", mode: 0o755 } };
    });
    const began = performance.now();
    expect(describePreview(used(changes), "K2", "zh")).toContain("20000");
    expect(performance.now() - began).toBeLessThan(3_000);
  });

  it("lets no name, no target and no output draw anything", () => {
    const nasty = "a\n- everything\u202e\u001b[2J```\n";
    const report = used([change(nasty, "x\n", `${nasty}\n`), { path: "l", after: { kind: "link", target: nasty } }], {
      skipped: [{ path: nasty, why: "pipe" }],
    });
    const text = describePreview(report, "K7", "zh");
    expect(["\u202e", "\u001b"].filter((hidden) => text.includes(hidden))).toEqual([]);
    expect(text.match(/^│ ~ /gm)).toHaveLength(1);
    expect(text).toContain("~ a⟨U+000A⟩- everything⟨U+202E⟩⟨U+001B⟩[2J```⟨U+000A⟩");
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (path, target) => {
        const one = used([{ path: `x${path}`, after: { kind: "link", target } }]);
        // Title, call, sum, and one line between two fences; a sentence more when something was hidden.
        const lines = describePreview(one, "K7", "zh").split("\n");
        expect([6, 7]).toContain(lines.filter((line) => !line.startsWith("┆")).length);
      }),
    );
  });

  it.each(["zh", "en", "ja"] as const)("describePreview has words in %s for what was not done", (language) => {
    const refusals = [
      { kind: "no-space" },
      ...(["entries", "bytes", "depth"] as const).map((what) => ({
        kind: "too-large",
        excess: { what, limit: 2 ** 28 },
      })),
    ] as const;
    const texts = [
      ...refusals.map((refusal) =>
        describePreview({ kind: "refused", refusal } as PreviewReport & { kind: "refused" }, "K7", language),
      ),
      describePreview(
        used([], {
          result: [
            { kind: "unsupported", tool: "web`x" },
            { kind: "refused", tool: "shell" },
            { kind: "ran", tool: "shell", result: { ok: false, error: "no container" }, timingMs: 1 },
          ],
          comparison: { kind: "too-large", excess: { what: "entries", limit: 1 } },
        }),
        "K7",
        language,
      ),
      describePreview(
        used([], { comparison: { kind: "compared", changes: [], unseen: [{ path: "p", why: "pipe" }] } }),
        "K7",
        language,
      ),
    ];
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts.filter((text) => /undefined|NaN/.test(text))).toEqual([]);
    expect(texts[2]).toContain("256");
    expect(texts[4]).toContain("1. `web'x` ");
    expect(texts[4]).toContain("3. `shell` ");
  });
});
