import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createGlobTool } from "../../../src/features/work-tools/glob.ts";
import { createGrepTool } from "../../../src/features/work-tools/grep.ts";
import { createSearchThreads } from "../../../src/features/work-tools/search-thread.ts";
import { createFileToolBench } from "../../support/file-tool-bench.ts";
import { createToolContext } from "../../support/tool-context.ts";

const threads = createSearchThreads();
const files = ["readme.md", "src/a.ts", "src/deep/b.ts", "src/deep/c.tsx", ".hidden/d.ts", "数据/e.md"];

const createGlobBench = async () => {
  const bench = await createFileToolBench(({ workspace }) => createGlobTool({ workspace, threads }));
  for (const path of files) await bench.put(path, "");
  return bench;
};

const createGrepBench = (limitMs?: number) =>
  createFileToolBench(({ workspace }) => createGrepTool({ workspace, threads: createSearchThreads(limitMs) }));

describe("glob", () => {
  it("finds by pattern, in a folder, and says when there is more", async () => {
    const bench = await createGlobBench();
    const rows: [string, string, readonly string[]][] = [
      ["**/*.md", ".", ["readme.md", "数据/e.md"]],
      ["*.md", ".", ["readme.md", "数据/e.md"]],
      ["./*/*.ts", ".", [".hidden/d.ts", "src/a.ts"]],
      ["/workspace/src/**/*.{ts,tsx}", ".", ["src/a.ts", "src/deep/b.ts", "src/deep/c.tsx"]],
      ["**/*.ts?(x)", "src", ["src/a.ts", "src/deep/b.ts", "src/deep/c.tsx"]],
      ["[ab].ts", "/workspace/src/", ["src/a.ts", "src/deep/b.ts"]],
      ["src/*", ".", ["src/a.ts", "src/deep/"]],
      ["nothing", ".", []],
    ];
    for (const [pattern, path, paths] of rows) {
      expect([pattern, await bench.output({ pattern, path })]).toEqual([pattern, { paths, has_more: false }]);
    }
    expect(await bench.output({ pattern: "**", limit: 2 })).toEqual({
      paths: [".hidden/", ".hidden/d.ts"],
      has_more: true,
    });
  });

  it("looks at nothing outside", async () => {
    const bench = await createGlobBench();
    await symlink(bench.outside, join(bench.folder, "out"));
    expect(await bench.output({ pattern: "**/secret*" })).toEqual({ paths: [], has_more: false });
    for (const pattern of ["../**", "/etc/*", "src/../../x"]) {
      expect(await bench.error({ pattern })).toMatch(/leads out of the workspace/);
    }
    for (const path of ["..", "/etc"]) expect(await bench.error({ pattern: "*", path })).toMatch(/The path/);
    expect(await bench.error({ pattern: "*", path: "out" })).toMatch(/link/);
    expect(await bench.error({ pattern: "*", path: "gone" })).toMatch(/There is no "gone"/);
  });
});

describe("grep", () => {
  it("answers path, line and text, and what stands around it", async () => {
    const bench = await createGrepBench();
    await bench.put("a.txt", "one\r\ntwo\r\nthree\r\n");
    await bench.put("sub/b.ts", "Two 二\nlast");
    expect(await bench.output({ pattern: "t(wo|hree)$" })).toEqual({
      matches: [
        { path: "a.txt", line: 2, text: "two" },
        { path: "a.txt", line: 3, text: "three" },
      ],
      has_more: false,
    });
    expect(await bench.output({ pattern: "two", ignore_case: true, context: 1 })).toMatchObject({
      matches: [
        { path: "a.txt", line: 2, before: ["one"], after: ["three"] },
        { path: "sub/b.ts", line: 1, text: "Two 二", before: [], after: ["last"] },
      ],
    });
    expect(await bench.output({ pattern: "(?i)TWO", glob: "*.ts" })).toMatchObject({ matches: [{ path: "sub/b.ts" }] });
    expect(await bench.output({ pattern: "\\p{Script=Han}", path: "sub" })).toMatchObject({
      matches: [{ path: "sub/b.ts", line: 1 }],
    });
    expect(await bench.output({ pattern: "o", path: "/workspace/a.txt", limit: 1 })).toEqual({
      matches: [{ path: "a.txt", line: 1, text: "one" }],
      has_more: true,
    });
    expect(await bench.output({ pattern: "o", glob: "../*" }).catch(String)).toMatch(/leads out/);
    expect(await bench.output({ pattern: "a\\-b|\\_" })).toMatchObject({ matches: [] });
  });

  it("leaves out what is no text, what is large and what is a link, and cuts long lines around the match", async () => {
    const bench = await createGrepBench();
    await bench.put("image.bin", Buffer.from("needle\0"));
    await bench.put("latin1.txt", Buffer.from([0x66, 0xfc, 0x6e]));
    await bench.put("large.txt", `needle\n${"x".repeat(2 * 1024 * 1024)}`);
    await bench.put(".env", "needle");
    await bench.put("long.txt", `${"a".repeat(5000)}needle${"b".repeat(5000)}`);
    await symlink(join(bench.outside, "secret.txt"), join(bench.folder, "out.txt"));
    const { matches } = await bench.output({ pattern: "needle|SECRET" });
    expect(matches).toEqual([{ path: "long.txt", line: 1, text: expect.stringMatching(/^…a{100}needleb{294}…$/) }]);
  });

  it("never says that nothing is in a file it did not look into", async () => {
    const bench = await createGrepBench();
    await bench.put("image.bin", Buffer.from("needle\0"));
    await bench.put("latin1.txt", Buffer.from([0x66, 0xfc, 0x6e]));
    await bench.put("logs/large.log", `needle\n${"x".repeat(2 * 1024 * 1024)}`);
    await bench.put("logs/small.log", "needle\n");
    for (const path of ["image.bin", "latin1.txt", "logs/large.log"])
      expect(await bench.error({ pattern: "needle", path })).toMatch(/was not searched.*grep in the shell/);
    const found = { matches: [{ path: "logs/small.log", line: 1, text: "needle" }], has_more: false };
    expect(await bench.output({ pattern: "needle" })).toEqual({ ...found, skipped: ["logs/large.log"] });
    expect(await bench.output({ pattern: "needle", glob: "small*" })).toEqual(found);
  });

  it("searches many files, more than one piece of work", async () => {
    const bench = await createGrepBench();
    await bench.put("many/first.txt", "");
    for (let file = 0; file < 300; file += 1)
      await writeFile(join(bench.folder, `many/${file}.txt`), `number ${file}\n`);
    const found = await bench.output({ pattern: "number 29\\d$" });
    expect(found.matches).toHaveLength(10);
  });

  it("grep ends an endless pattern, and blocks no other work meanwhile", async () => {
    const bench = await createGrepBench(300);
    await bench.put("a.txt", `${"a".repeat(40)}!`);
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 5);
    try {
      expect(await bench.error({ pattern: "^(a+)+$" })).toMatch(/takes too long/);
    } finally {
      clearInterval(counting);
    }
    expect(turns).toBeGreaterThan(5);
    expect(await bench.error({ pattern: "(" })).toMatch(/Invalid regular expression|Unterminated/);
    await bench.put("a".repeat(200), "x");
    expect(await bench.error({ pattern: "x", glob: `${"*a".repeat(40)}b` })).toMatch(/takes too long/);
  });

  it("ends with its signal", async () => {
    const bench = await createGrepBench(60_000);
    await bench.put("a.txt", `${"a".repeat(40)}!`);
    const tool = createGrepTool({ workspace: bench.workspace, threads: createSearchThreads(60_000) });
    const stopping = new AbortController();
    const context = createToolContext({ session: bench.session, signal: stopping.signal });
    const work = tool.run(tool.input.parse({ pattern: "^(a+)+$" }), context);
    stopping.abort();
    expect(await work).toMatchObject({ ok: false, error: expect.stringMatching(/stopped/) });
  });
});
