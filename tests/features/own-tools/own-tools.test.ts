// full: starts a process for each call
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripTypeScriptTypes } from "node:module";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createAskOwnTool, findIsolation } from "../../../src/features/own-tools/ask-own-tool.ts";
import { createOwnTools } from "../../../src/features/own-tools/create-own-tools.ts";
import { formatFault } from "../../../src/core/yaml-file.ts";
import { toolNames } from "../../../src/assembly/features.ts";
import type { OwnToolFolder } from "../../../src/features/own-tools/own-tools.ts";
import { readOwnTools } from "../../../src/features/own-tools/read-own-tools.ts";
import { ConfigFolder } from "../../support/config-folder.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { patienceMs } from "../../support/patience.ts";

const ask = createAskOwnTool();
/** Processes of tools that this one started, and theirs. */
function listBelow(parent: number): readonly number[] {
  const parents = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const [state, above] = readFileSync(`/proc/${name}/stat`, "utf8")
          .replace(/^.*\) /s, "")
          .split(" ");
        return state === "Z" ? [] : [[Number(name), Number(above)] as const];
      } catch {
        return [];
      }
    });
  const below = (pid: number): readonly number[] =>
    parents.filter(([, above]) => above === pid).flatMap(([child]) => [child, ...below(child)]);
  return below(parent);
}
const go = (body: string, { input = {}, ms = patienceMs }: { input?: unknown; ms?: number } = {}) =>
  ask({ source: `export default { async run(input: any) { ${body} } }` }, { input, signal: AbortSignal.timeout(ms) });

describe("the process of a tool", () => {
  it("answers what run returns, and where it failed", async () => {
    expect(await go("return { twice: input.n * 2 }", { input: { n: 21 } })).toEqual({ ok: true, value: { twice: 42 } });
    expect(
      await go("await new Promise((done) => setTimeout(done, 5)); return new URL('http://a.example').host"),
    ).toEqual({
      ok: true,
      value: "a.example",
    });
    expect(await go("return undefined")).toEqual({ ok: true, value: null });
    expect(await go("\n\n  throw new Error('no such town')")).toEqual({
      ok: false,
      error: "no such town",
      place: "3:9",
    });
    expect(await go("return 1n")).toMatchObject({ ok: false });
    expect(await ask({ source: "export const a = 1" }, { signal: AbortSignal.timeout(patienceMs) })).toMatchObject({
      ok: false,
      error: "must have a default export with description and run",
    });
  });

  it("the process reaches no files, programs, environment or network", async () => {
    const heard: string[] = [];
    const server = createServer((request, response) => {
      heard.push(request.url ?? "");
      response.end("in");
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const ways = [
      "return process.env",
      "return process.getBuiltinModule('fs').readFileSync('/etc/passwd', 'utf8')",
      "return globalThis.process ?? global ?? require",
      "return (await import('node:fs')).readFileSync('/etc/passwd', 'utf8')",
      "return (await import('fs')).readFileSync('/etc/passwd', 'utf8')",
      "return await import('node:child_process')",
      "return await import('data:text/javascript,import \"node:net\"')",
      "return await import('file:///etc/hostname')",
      "return (await import('node:process')).env",
      `return await (await fetch('${url}')).text()`,
      `return new WebSocket('${url}'.replace('http', 'ws'))`,
      `return new EventSource('${url}')`,
      `return new console._stdout.constructor().connect({ host: '127.0.0.1', port: Number(new URL('${url}').port) })`,
      "return new Function('return process')()",
      "return (0, eval)('1')",
      "return setTimeout.constructor('return process')()",
      "return (async () => {}).constructor('return process')()",
      "return new Worker('data:text/javascript,1')",
      "return setTimeout(() => {}, 1).constructor.name === 'Number' ? Promise.reject(new Error('a number')) : 1",
      "String.prototype.startsWith = () => false; return (await import('node:net')).connect({ path: '/var/run/docker.sock' })",
      "RegExp.prototype.test = Array.prototype.includes = () => true; return await import('node:net')",
      "Object.defineProperty(Object.prototype, 'domain', { get() { return this } }); return 1",
      "const it = await import('data:text/javascript,export const a = 1'); return it",
      "let it; globalThis.Number = (timer) => (it = timer); setTimeout(() => {}, 1); it.hasRef(); return 1",
    ];
    // Those that turn what the rest builds on upside down have a process each.
    const spoils = (way: string): boolean => /\.prototype|globalThis\.Number/.test(way);
    const [alone, together] = [ways.filter(spoils), ways.filter((way) => !spoils(way))];
    for (const way of alone) expect({ way, ...(await go(way)) }).toMatchObject({ way, ok: false });
    const tried = together.map((way) => `(async () => { ${way} })`).join(", ");
    const tally = `const tell = (way) => way().then((got) => "got " + typeof got, () => "refused");
      return await Promise.all([${tried}].map(tell))`;
    expect(await go(tally)).toEqual({ ok: true, value: together.map(() => "refused") });
    expect(heard).toEqual([]);
  });

  it("sees no process but itself, and is gone with all that is between us when its time is over", async (context) => {
    const [command = "", ...prefix] = await findIsolation();
    if (command === "") return context.skip("this kernel lets nobody make namespaces");
    expect(command).toMatch(/^\/\S*bin\/unshare$/);
    const numbers = execFileSync(command, [...prefix, "ls", "/proc"], { encoding: "utf8" }).match(/^\d+$/gm);
    // Without a /proc of its own the numbers are those of everybody.
    expect(prefix.includes("--mount-proc") ? numbers : ["1"]).toEqual(["1"]);
    expect(execFileSync(command, [...prefix, "cat", "/proc/net/dev"], { encoding: "utf8" })).not.toMatch(/eth|en[ops]/);
    const before = listBelow(process.pid);
    const stop = new AbortController();
    const call = ask({ source: "export default { run() { for (;;); } }" }, { input: {}, signal: stop.signal });
    const added = () => listBelow(process.pid).filter((pid) => !before.includes(pid));
    await waitUntil("unshare and the tool", () => added().length >= 2);
    const started = added();
    stop.abort();
    expect(await call).toMatchObject({ ok: false });
    await waitUntil("their end", () => started.every((pid) => !listBelow(1).includes(pid) && !added().includes(pid)));
  });

  it("the process does not start when its isolation command is missing, or while the probe for it fails", async () => {
    const made = (find: () => Promise<readonly string[]>) =>
      createAskOwnTool(find)(
        { source: "export default { run: () => 1 }" },
        { input: {}, signal: AbortSignal.timeout(patienceMs) },
      );
    expect(await made(async () => [])).toEqual({ ok: true, value: 1 });
    expect(await made(async () => ["/nowhere/unshare", "--"])).toMatchObject({
      ok: false,
      error: expect.stringContaining("ENOENT"),
    });
    expect(await made(() => Promise.reject(new Error("late")))).toMatchObject({
      ok: false,
      error: expect.stringMatching(/not started: .*late/),
    });
    let probes = 0;
    const twice = createAskOwnTool(() => (++probes === 1 ? Promise.reject(new Error("late")) : Promise.resolve([])));
    const call = () =>
      twice({ source: "export default { run: () => 1 }" }, { input: {}, signal: AbortSignal.timeout(patienceMs) });
    expect([(await call()).ok, (await call()).ok, (await call()).ok, probes]).toEqual([false, true, true, 2]);
  });

  it("the process is killed when its time is over, or when it takes too much memory or writes too much", async () => {
    expect(await go("for (;;);", { ms: 1_500 })).toMatchObject({ ok: false });
    expect(await go("const a = []; for (;;) a.push(new Array(1e5).fill(Math.random()))")).toMatchObject({ ok: false });
    expect(await go("return 'x'.repeat(2 * 1024 * 1024)")).toMatchObject({
      ok: false,
      error: expect.stringContaining("1048576"),
    });
  });
});

describe("the files of config/tools", () => {
  let folder: ConfigFolder;
  let home: string;
  beforeEach(() => {
    asked = 0;
    folder = new ConfigFolder();
    home = mkdtempSync(join(tmpdir(), "kurisu-own-"));
  });
  afterEach(() => {
    folder.remove();
    rmSync(home, { recursive: true, force: true });
  });
  const read = () =>
    readOwnTools(join(folder.path, "config/tools"), toolNames.isOurs, ({ problem }) => expect(problem).toBe(""));
  const caesar = (more = "") =>
    `export default {\n  description: "Caesar's cipher.",\n  arguments: { text: { description: "The text." }${more} },\n  run: ({ text }: { text: string }) => text.replace(/[a-z]/g, (c) => String.fromCharCode(((c.charCodeAt(0) - 84) % 26) + 97)),\n};\n`;
  const errors: unknown[] = [];
  let now = 0;
  let asked = 0;
  const counted: typeof ask = (...given) => (++asked, ask(...given));
  const open = (files = read, way = counted) =>
    createOwnTools({
      files,
      home,
      ask: way,
      clock: { now: () => now },
      exclude: () => ["left_out"],
      options: () => ({ caesar: { timeoutMs: 7 } }),
      log: { error: (...given: unknown[]) => void errors.push(given) },
    });
  const load = () => folder.load().features["own-tools"] as OwnToolFolder;
  const reasonOf = (own: ReturnType<typeof open>) => {
    const availability = own.tools()[0]?.availability?.();
    return availability?.ok === false ? availability.reason : "ready";
  };

  it("a file that is no TypeScript or has a taken name is reported with its place, and the rest is loaded", () => {
    folder.write("config/tools/broken.ts", "export default {\n  run( {{ }");
    folder.write("config/tools/kinds.ts", "\n\nenum A { x }");
    folder.write("config/tools/shell.ts", "export default {}");
    folder.write("config/tools/Dice.ts", "export default {}");
    folder.write("config/tools/readme.md", "no tool");
    folder.write("config/tools/caesar.ts", caesar());
    folder.write("config/system/tools.yaml", "overrides:\n  file_read: broken\n");
    const { faults, files } = load();
    expect(files.map(({ name }) => name)).toEqual(["caesar"]);
    expect(faults.map(formatFault)).toEqual([
      "config/tools/Dice.ts:1:1 must have a snake_case name, which is the tool's",
      "config/tools/shell.ts:1:1 shell is the name of a tool of Kurisu's or of an MCP server; take another name",
      expect.stringMatching(/^config\/tools\/broken\.ts:2:9 is no TypeScript: Unexpected token/),
      "config/tools/kinds.ts:3:1 is no TypeScript: TypeScript enum is not supported in strip-only mode",
    ]);
  });

  it("a text that breaks the TypeScript reader breaks nothing else", async () => {
    folder.write("config/tools/deep.ts", "(".repeat(15_000));
    expect(load().faults.map(formatFault)).toEqual([
      expect.stringMatching(/deep\.ts:1:1 cannot be read as TypeScript/),
    ]);
    expect(stripTypeScriptTypes("const a: number = 1")).toBe("const a         = 1");
    folder.write("config/tools/deep.ts", caesar());
    expect(read().map(({ name }) => name)).toEqual(["deep"]);
  });

  it("a file does not run before an owner approves exactly its content, and again after each change", async () => {
    folder.write("config/tools/caesar.ts", caesar());
    folder.write("config/tools/left_out.ts", caesar());
    let files = read();
    const own = open(() => files);
    await own.settle();
    expect(own.tools().map(({ name }) => name)).toEqual(["caesar"]);
    expect(reasonOf(own)).toMatch(/waits for an owner's yes/);
    const [file] = own.waiting();
    if (!file) throw new Error("nothing waits");
    expect(await own.admit(file, "telegram:1", "2026-11-23")).toBeUndefined();
    const [tool] = own.tools();
    expect(tool).toMatchObject({ level: "confirm", source: "file", description: { en: "Caesar's cipher." } });
    expect(tool?.timeoutMs({})).toBe(7);
    expect(reasonOf(own)).toBe("ready");
    const same = own.tools();
    expect(own.tools()).toBe(same);
    // Another process of the same installation knows it, and starts nothing to be told.
    expect(asked).toBe(1);
    const second = open(() => files);
    expect(reasonOf(second)).toBe("ready");
    await second.settle();
    expect(asked).toBe(1);

    folder.write("config/tools/caesar.ts", caesar(", "));
    files = read();
    expect(reasonOf(own)).toMatch(/waits for an owner's yes/);
    writeFileSync(join(home, "tools.lock"), "damaged");
    expect(reasonOf(open(() => files))).toMatch(/waits for an owner's yes/);
  });

  it("a file that does not describe itself can be named and cannot be called", async () => {
    folder.write("config/tools/caesar.ts", "export default { description: 5, run() {} }");
    const files = read();
    const own = open(() => files);
    const [file] = own.waiting();
    if (!file) throw new Error("nothing waits");
    expect(await own.admit(file, "cli:owner", "2026-11-23")).toMatch(/caesar\.ts:1:1 .*description/);
    expect(reasonOf(own)).toMatch(/caesar\.ts:1:1/);
    expect(errors).toHaveLength(1);
  });

  it("a failed file is tried again: after a minute, then after two, and when a file changes", async () => {
    folder.write("config/tools/caesar.ts", caesar());
    let files = read();
    let works = false;
    const flaky: typeof ask = (...given) => {
      asked += 1;
      return works ? ask(...given) : Promise.resolve({ ok: false, error: "no memory" });
    };
    const own = open(() => files, flaky);
    const [file] = own.waiting();
    if (!file) throw new Error("nothing waits");
    expect(await own.admit(file, "cli:owner", "2026-11-23")).toMatch(/no memory/);
    const look = async (at: number) => {
      now = at;
      own.tools();
      await own.settle();
      return asked;
    };
    const first = asked;
    expect([await look(59_000), await look(61_000), await look(180_000)]).toEqual([first, first + 1, first + 1]);
    expect(reasonOf(own)).toMatch(/no memory/);
    files = [...files];
    expect(await look(180_001)).toBe(first + 2);
    works = true;
    expect(await look(240_002)).toBe(first + 3);
    expect(reasonOf(own)).toBe("ready");
  });

  it("a file whose approval is withdrawn while it is being loaded does not become ready", async () => {
    folder.write("config/tools/caesar.ts", caesar());
    let files = read();
    const [file] = files;
    if (!file) throw new Error("no file");
    const entry = { digest: file.digest, approver: "cli:owner", date: "2026-11-23" };
    writeFileSync(join(home, "tools.lock"), JSON.stringify({ caesar: entry }));
    const own = open(() => files);
    expect(reasonOf(own)).toMatch(/is being loaded/);
    rmSync(join(home, "tools.lock"));
    files = [...files];
    await own.settle();
    expect(reasonOf(own)).toMatch(/waits for an owner's yes/);
  });

  it("all files are checked in one process, and not at all once they are approved", () => {
    for (const name of ["one", "two", "three"]) folder.write(`config/tools/${name}.ts`, caesar());
    folder.write("config/tools/nested.ts", "(".repeat(15_000));
    folder.write("config/tools/no.ts", "enum A { x }");
    const problems: string[] = [];
    const found = (known: readonly string[]) =>
      readOwnTools(
        join(folder.path, "config/tools"),
        toolNames.isOurs,
        ({ file, problem }) => problems.push(`${file} ${problem}`),
        ({ name }) => known.includes(name),
      ).map(({ name }) => name);
    expect(found([])).toEqual(["one", "three", "two"]);
    expect(problems.map((line) => line.replace(/^.*\//, "").slice(0, 30))).toEqual([
      "nested.ts cannot be read as Ty",
      "no.ts is no TypeScript: TypeSc",
    ]);
    expect(found(["nested", "no"])).toEqual(["nested", "no", "one", "three", "two"]);
  });
});
