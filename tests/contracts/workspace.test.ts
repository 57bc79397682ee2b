// full: needs a container engine
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { chmod, link, mkdir, readdir, readFile, stat, symlink, truncate } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { maxFileBytes } from "../../src/workspace/file-faults.ts";
import { runnerIsThere } from "../support/runner-container.ts";
import { createWorkspaceBench, workspaceKinds, type WorkspaceBench } from "../support/workspaces.ts";

const withContainer = await runnerIsThere();
const kinds = workspaceKinds.filter((kind) => kind !== "container" || withContainer);

/** KURISU_TEST_FULL=1 tries everything on every path in a container too, where each try is a command. */
const full = process.env["KURISU_TEST_FULL"] === "1";

/** Reads and writes of every sort on one path; each must be refused. */
async function tryAll({ workspace, session }: WorkspaceBench, path: string) {
  return [
    await workspace.readBytes(session, path),
    await workspace.readText(session, path),
    await workspace.readLines(session, path, 0, 10),
    await workspace.write(session, path, "overwritten", "write"),
    await workspace.write(session, path, "overwritten", "append"),
    await workspace.writeBytes(session, path, Buffer.from("x"), { expected: "absent" }),
    await workspace.writeBytes(session, path, Buffer.from("x"), { expected: "0".repeat(64) }),
  ];
}

describe.each(kinds)("the workspace, %s", (kind) => {
  it("writes, appends and reads text and bytes, in folders it makes", async () => {
    const { workspace, session, folder } = await createWorkspaceBench(kind);
    const written = await workspace.write(session, "实验/a b'$(c).txt", "一\n二\n", "write");
    expect(written).toEqual({ ok: true, path: "实验/a b'$(c).txt", bytesWritten: 8, existed: false });
    const appended = await workspace.write(session, "/workspace/实验/a b'$(c).txt", "三\n", "append");
    expect(appended).toMatchObject({ ok: true, existed: true });
    expect(await workspace.readText(session, "实验/a b'$(c).txt")).toEqual({
      ok: true,
      text: "一\n二\n三\n",
      bytes: 12,
    });
    expect(await workspace.readLines(session, "实验/a b'$(c).txt", 1, 1)).toEqual({
      ok: true,
      content: "二",
      totalLines: 3,
      hasMore: true,
      cut: false,
    });
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, at) => at));
    expect(await workspace.writeBytes(session, "-n", bytes)).toMatchObject({ ok: true, bytesWritten: 256 });
    expect(await workspace.readBytes(session, "-n")).toMatchObject({ ok: true, path: "-n", bytes });
    expect(await workspace.write(session, "new.log", "x", "append")).toMatchObject({ ok: true, existed: false });
    expect(await workspace.write(session, "-n", "", "write")).toMatchObject({ ok: true, existed: true });
    expect(await workspace.readText(session, "-n")).toEqual({ ok: true, text: "", bytes: 0 });
    const owner = process.getuid?.() === 0 ? 1000 : process.getuid?.();
    for (const name of ["实验", "实验/a b'$(c).txt", "new.log"]) {
      const found = await stat(join(folder, name));
      expect([name, found.uid, (found.mode & 0o777).toString(8)]).toEqual([
        name,
        owner,
        name === "实验" ? "755" : "644",
      ]);
    }
    expect((await readdir(folder)).sort()).toEqual(["-n", "new.log", "实验"]);
  });

  it("hands back byte for byte what was written: line ends, marks, no line at all", async () => {
    const { workspace, session, folder } = await createWorkspaceBench(kind);
    const contents = ["\r\n", "a\r\nb\n\rc", "\uFEFFmark\r\n", "", "\n\n", "no end", "🙂\u0301e\u0000"];
    for (const [index, content] of contents.entries()) {
      await workspace.write(session, `${index}`, content, "write");
      expect(await readFile(join(folder, `${index}`), "utf8")).toBe(content);
      expect(await workspace.readBytes(session, `${index}`)).toMatchObject({ bytes: Buffer.from(content) });
    }
    expect(await workspace.readText(session, "2")).toMatchObject({ text: "mark\r\n" });
    expect(await workspace.readText(session, "6")).toMatchObject({ ok: false });
  });

  it("keeps names apart that look the same, and letters of another case", async () => {
    const { workspace, session, folder } = await createWorkspaceBench(kind);
    const names = [
      "\u00e9",
      "e\u0301",
      "A",
      "a",
      "n".repeat(255),
      "*",
      "[a]",
      "a?",
      "#",
      " ",
      "日".repeat(85),
      "-",
      "--",
    ];
    for (const name of names) expect(await workspace.write(session, name, name, "write")).toMatchObject({ ok: true });
    for (const name of names) expect(await workspace.readText(session, name)).toMatchObject({ text: name });
    expect(await readdir(folder)).toHaveLength(names.length);
    expect(await workspace.write(session, "n".repeat(256), "x", "write")).toMatchObject({ ok: false });
  });

  it("refuses by their text paths that lead out, hide, or lead to what file tools leave alone", async () => {
    const bench = await createWorkspaceBench(kind);
    const paths = [
      "",
      "..",
      "../x",
      "a/../../x",
      "/etc/passwd",
      "/workspace/../etc/passwd",
      "~/x",
      "a\\b",
      "c:x",
      "a\0b",
    ];
    paths.push(
      "a\nb",
      "%2e%2e/x",
      "．．/x",
      "\u202etxt.exe",
      ".git/config",
      "sub/.GIT/hooks/x",
      ".env",
      ".Env",
      ".ssh/id",
    );
    paths.push(".g\u200bit/config", "．env", ".", "/workspace", "x".repeat(1025));
    for (const path of paths) {
      for (const answer of await tryAll(bench, path)) expect([path, answer.ok]).toEqual([path, false]);
      expect(await bench.workspace.remove(bench.session, path)).toMatchObject({ ok: false });
    }
    expect(await readdir(bench.folder)).toEqual([]);
  });

  it("follows no link, wherever it stands and whatever it points at", async () => {
    const bench = await createWorkspaceBench(kind);
    const { folder, outside } = bench;
    await bench.put("real.txt", "real");
    await bench.put("sub/file.txt", "inner");
    const links: [string, string][] = [
      ["file-link", join(outside, "secret.txt")],
      ["folder-link", outside],
      ["relative-out", "../../outside/secret.txt"],
      ["container-file", "/etc/passwd"],
      ["container-folder", "/etc"],
      ["process", "/proc/self/environ"],
      ["dangling", "nowhere"],
      ["inner-link", "real.txt"],
      ["inner-folder", "sub"],
      ["loop", "loop"],
      ["round", "about"],
      ["about", "round"],
      ["dot", "."],
    ];
    for (const [name, target] of links) await symlink(target, join(folder, name));
    await bench.settle();
    const through = [
      "folder-link/secret.txt",
      "folder-link/new.txt",
      "container-folder/passwd",
      "inner-folder/file.txt",
    ];
    through.push("loop/x", "round/x", "dot/real.txt", "dangling/x");
    for (const [index, path] of [...links.map(([name]) => name), ...through].entries()) {
      const answers =
        full || kind !== "container" || index % 4 === 0
          ? await tryAll(bench, path)
          : [
              await bench.workspace.readText(bench.session, path),
              await bench.workspace.write(bench.session, path, "overwritten", "write"),
            ];
      for (const answer of answers) {
        expect([path, answer]).toMatchObject([path, { ok: false, error: expect.stringMatching(/link/) }]);
      }
    }
    expect(await readFile(join(outside, "secret.txt"), "utf8")).toBe("SECRET");
    expect(await readdir(outside)).toEqual(["secret.txt"]);
    expect(await readFile(join(folder, "real.txt"), "utf8")).toBe("real");
    expect(await readdir(folder)).toHaveLength(links.length + 2);
  });

  it("reads and adds to no file that has a second name, but may replace one of the names", async () => {
    const bench = await createWorkspaceBench(kind);
    const { workspace, session, folder, outside } = bench;
    await link(join(outside, "secret.txt"), join(folder, "hard"));
    await bench.settle();
    const hard = { ok: false, error: expect.stringMatching(/hard link/) };
    expect(await workspace.readBytes(session, "hard")).toMatchObject(hard);
    expect(await workspace.write(session, "hard", "x", "append")).toMatchObject(hard);
    expect(await workspace.writeBytes(session, "hard", Buffer.from("x"), { expected: "0".repeat(64) })).toMatchObject(
      hard,
    );
    expect(await workspace.write(session, "hard", "x", "write")).toMatchObject({ ok: true });
    expect(await readFile(join(outside, "secret.txt"), "utf8")).toBe("SECRET");
  });

  it("refuses folders, pipes, sockets, what is missing and what is no text, each with its sentence", async () => {
    const bench = await createWorkspaceBench(kind);
    const { workspace, session, folder } = bench;
    await mkdir(join(folder, "sub"));
    await bench.put("image.bin", Buffer.from([0x89, 0x50, 0, 1]));
    await bench.put("latin1.txt", Buffer.from([0x66, 0xfc, 0x72]));
    await bench.put("utf16.txt", Buffer.from("\uFEFFabc", "utf16le"));
    execFileSync("mkfifo", [join(folder, "pipe")]);
    const server = createServer().listen(join(folder, "socket"));
    onTestFinished(() => void server.close());
    await once(server, "listening");
    await bench.settle();
    const rows: [string, RegExp][] = [
      ["sub", /is a folder/],
      ["sub/", /is a folder/],
      [".", /workspace folder itself/],
      ["missing.txt", /There is no "missing.txt"/],
      ["missing/file.txt", /There is no "missing\/file.txt"/],
      ["image.bin/x", /not a folder/],
      ["image.bin", /not a text file/],
      ["latin1.txt", /not a text file/],
      ["utf16.txt", /UTF-16/],
      ["pipe", /not a regular file/],
      ["socket", /not a regular file/],
      ["../x", /contains ".."/],
    ];
    for (const [path, error] of rows) {
      const refused = { ok: false, error: expect.stringMatching(error) };
      expect([path, await workspace.readText(session, path)]).toMatchObject([path, refused]);
    }
    for (const path of ["sub", ".", "pipe", "socket", "image.bin/x", "../x"]) {
      expect([path, await workspace.write(session, path, "x", "write")]).toMatchObject([path, { ok: false }]);
      expect([path, await workspace.write(session, path, "x", "append")]).toMatchObject([path, { ok: false }]);
    }
  });

  it("takes no more than 10 MiB in either direction, and whole what is that large", async () => {
    const bench = await createWorkspaceBench(kind);
    const { workspace, session, folder } = bench;
    const large = Buffer.alloc(maxFileBytes, "0123456789abcdef\n");
    expect(await workspace.writeBytes(session, "large", large)).toMatchObject({ ok: true, bytesWritten: maxFileBytes });
    const read = await workspace.readBytes(session, "large");
    expect(read.ok && read.bytes.equals(large)).toBe(true);
    const tooLarge = { ok: false, error: expect.stringMatching(/10 MiB/) };
    expect(await workspace.write(session, "large", "x", "append")).toMatchObject(tooLarge);
    expect(await workspace.write(session, "new", `${large.toString()}x`, "write")).toMatchObject(tooLarge);
    await truncate(join(folder, "large"), maxFileBytes + 1);
    expect(await workspace.readText(session, "large")).toMatchObject(tooLarge);
    expect(await workspace.readBytes(session, "large", 3 * 1024 * 1024)).toMatchObject({
      error: expect.stringMatching(/3 MiB/),
    });
    expect(await workspace.readBytes(session, "large", maxFileBytes + 1)).toMatchObject({ ok: true });
  });

  it("writes only over the content that was read", async () => {
    const bench = await createWorkspaceBench(kind);
    const { workspace, session, folder } = bench;
    await bench.put("a.txt", "one");
    await chmod(join(folder, "a.txt"), 0o755);
    const read = await workspace.readBytes(session, "a.txt");
    const version = read.ok ? read.version : "";
    const write = (path: string, text: string, expected: string) =>
      workspace.writeBytes(session, path, Buffer.from(text), { expected });
    const changed = { ok: false, error: expect.stringMatching(/changed in between/) };
    expect(await write("a.txt", "two", version)).toMatchObject({ ok: true, existed: true });
    expect((await stat(join(folder, "a.txt"))).mode & 0o777, "its rights stay").toBe(0o755);
    expect(await write("a.txt", "three", version)).toMatchObject(changed);
    expect(await write("a.txt", "three", "absent")).toMatchObject(changed);
    expect(await write("gone.txt", "three", version)).toMatchObject(changed);
    expect(await write("gone/b.txt", "three", version)).toMatchObject({ ok: false });
    expect(await write("made/b.txt", "new", "absent")).toMatchObject({ ok: true, existed: false });
    expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("two");
    expect((await readdir(folder)).sort()).toEqual(["a.txt", "made"]);
  });

  it("lets one of many edits at the same time through", async () => {
    const bench = await createWorkspaceBench(kind);
    const { workspace, session, folder } = bench;
    await bench.put("a.txt", "begin");
    const read = await workspace.readBytes(session, "a.txt");
    const expected = read.ok ? read.version : "";
    const texts = ["one", "two", "three", "four", "five", "six"];
    const answers = await Promise.all(
      texts.map((text) => workspace.writeBytes(session, "a.txt", Buffer.from(text), { expected })),
    );
    const through = texts.filter((_, at) => answers[at]?.ok);
    expect(through).toHaveLength(1);
    expect(await readFile(join(folder, "a.txt"), "utf8")).toBe(through[0]);
    await Promise.all(texts.map((text) => workspace.write(session, "log", `${text}\n`, "append")));
    expect((await readFile(join(folder, "log"), "utf8")).trim().split("\n").sort()).toEqual(texts.toSorted());
    expect((await readdir(folder)).sort()).toEqual(["a.txt", "log"]);
  });

  it("writes no more than the workspace's limit leaves room for", async () => {
    const bench = await createWorkspaceBench(kind, { limits: () => ({ bytes: 1024 * 1024, files: 5 }) });
    const { workspace, session, folder } = bench;
    expect(await workspace.write(session, "a", "x".repeat(900_000), "write")).toMatchObject({ ok: true });
    const noRoom = { ok: false, error: expect.stringMatching(/no room.*1 MiB.*Delete/) };
    expect(await workspace.write(session, "b", "x".repeat(200_000), "write")).toMatchObject(noRoom);
    expect(await workspace.write(session, "a", "x".repeat(200_000), "append")).toMatchObject(noRoom);
    expect(await readdir(folder)).toEqual(["a"]);
    expect(await workspace.remove(session, "a")).toMatchObject({ ok: true });
    expect(await workspace.write(session, "b", "x".repeat(200_000), "write"), "the trash does not count").toMatchObject(
      {
        ok: true,
      },
    );
    for (const name of ["1", "2", "3", "4"]) await workspace.write(session, name, "", "write");
    expect(await workspace.write(session, "5", "", "write")).toMatchObject({ error: expect.stringMatching(/5 files/) });
  });
});
