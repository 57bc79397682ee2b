import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import { readArchive } from "../../../../src/features/skills/store/read-archive.ts";
import { readFolder } from "../../../../src/features/skills/store/read-folder.ts";
import { makeZip } from "../../../support/make-zip.ts";
import { writeTree } from "../../../support/skill-source.ts";
import { createTemporaryFolder } from "../../../support/temporary-folder.ts";

let folder: string;
beforeEach(async () => {
  folder = await createTemporaryFolder();
});

interface TarEntry {
  readonly name: string;
  readonly content?: string;
  /** 0 file, 1 hard link, 2 link, 3 device, 5 folder, 6 pipe. */
  readonly type?: string;
  readonly link?: string;
}

function makeTar(entries: readonly TarEntry[]): Buffer {
  const blocks = entries.flatMap(({ name, content = "", type = "0", link = "" }) => {
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write("0000644\0", 100);
    header.write("0000000\0", 108);
    header.write("0000000\0", 116);
    header.write(`${content.length.toString(8).padStart(11, "0")}\0`, 124);
    header.write("00000000000\0", 136);
    header.write("        ", 148);
    header.write(type, 156);
    header.write(link, 157);
    header.write("ustar\x0000", 257, "latin1");
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    return [header, Buffer.from(content.padEnd(Math.ceil(content.length / 512) * 512, "\0"))];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

async function read(name: string, bytes: Buffer) {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  const result = await readArchive(path);
  return result.ok ? result.files.map(({ path: one, bytes: content }) => [one, content.toString()]) : result.problem;
}

describe("an archive", () => {
  test("readArchive returns the files of a zip, a tar and a tar.gz", async () => {
    const zip = makeZip([
      { name: "a/", mode: 0o040755, content: Buffer.alloc(0) },
      { name: "a/SKILL.md", content: Buffer.from("hi") },
    ]);
    expect(await read("a.zip", zip)).toEqual([["a/SKILL.md", "hi"]]);
    const tar = makeTar([
      { name: "a/", type: "5" },
      { name: "a/SKILL.md", content: "hi" },
    ]);
    expect(await read("a.tar.gz", gzipSync(tar))).toEqual([["a/SKILL.md", "hi"]]);
    expect(await read("a.tar", tar)).toEqual([["a/SKILL.md", "hi"]]);
  });

  test("readArchive reads an archive that tar itself wrote", async () => {
    writeTree(join(folder, "skill"), { "SKILL.md": "hello", [`references/${"x".repeat(120)}`]: "long" });
    execFileSync("tar", ["czf", join(folder, "made.tgz"), "-C", folder, "skill"]);
    const result = await readArchive(join(folder, "made.tgz"));
    expect(result.ok && result.files.map(({ bytes }) => bytes.toString()).toSorted()).toEqual(["hello", "long"]);
  });

  test.each([
    ["a link", { name: "a", mode: 0o120777 }, /link/],
    ["a device", { name: "a", mode: 0o060644 }, /no regular file/],
    ["an absolute name", { name: "/etc/x" }, /absolute/],
    ["a name that climbs", { name: "a/../../x" }, /relative path|invalid/],
    ["a backslash", { name: "a\\b" }, /invalid characters|backslash/],
    ["a password", { name: "a", flags: 0x801 }, /encrypted/],
    ["a size that lies", { name: "a", content: Buffer.alloc(5000), declared: 10 }, /damaged/],
    ["a bomb", { name: "a", content: Buffer.alloc(15 * 1024 * 1024) }, /100 times/],
    ["too much", { name: "a", content: Buffer.from("x"), declared: 30 * 1024 * 1024 }, /larger than 20 MB/],
  ])("zip with %s is refused", async (_what, entry, why) => {
    expect(await read("a.zip", makeZip([{ name: "SKILL.md" }, entry]))).toMatch(why);
  });

  test.each([
    ["a link", { name: "a", type: "2", link: "/etc/passwd" }, /link/],
    ["a hard link", { name: "a", type: "1", link: "SKILL.md" }, /link/],
    ["a device", { name: "a", type: "3" }, /no regular file/],
    ["a pipe", { name: "a", type: "6" }, /no regular file/],
    ["a kind nobody knows", { name: "a", type: "Z" }, /no regular file|damaged/],
  ])("tar with %s is refused", async (_what, entry, why) => {
    expect(await read("a.tgz", gzipSync(makeTar([{ name: "SKILL.md" }, entry])))).toMatch(why);
  });

  test("readArchive refuses an archive with too many files", async () => {
    const names = Array.from({ length: 1001 }, (_, index) => ({ name: `f${index}` }));
    expect(await read("a.zip", makeZip(names))).toMatch(/more than 1000 files/);
    expect(await read("a.tgz", gzipSync(makeTar(names)))).toMatch(/more than 1000 files/);
  });

  test("readArchive does not unpack an archive that grows too large", async () => {
    const much = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    expect(await read("a.tgz", much)).toMatch(/larger than 20 MB/);
    expect(await read("a.tgz", gzipSync(makeTar([{ name: "a", content: "0".repeat(3 * 1024 * 1024) }])))).toMatch(
      /100 times/,
    );
  });

  test("readArchive refuses a damaged archive", async () => {
    for (const bytes of [
      Buffer.from("PK"),
      Buffer.from("PK\x03\x04garbage"),
      Buffer.from([0x1f, 0x8b, 1, 2, 3]),
      Buffer.from("no archive at all"),
    ])
      expect(await read("a.zip", bytes)).toMatch(/damaged/);
  });
});

describe("a folder", () => {
  test("gives its files without git's own", () => {
    writeTree(join(folder, "s"), { "SKILL.md": "hi", "a/b": "c", ".git/config": "x" });
    const result = readFolder(join(folder, "s"));
    expect(result.ok && result.files.map(({ path }) => path)).toEqual(["SKILL.md", "a/b"]);
  });

  test("readFolder refuses a folder with a link or a pipe in it, and does not hang on the pipe", () => {
    mkdirSync(join(folder, "s"));
    symlinkSync("/etc/passwd", join(folder, "s", "a"));
    expect(readFolder(join(folder, "s"))).toMatchObject({ ok: false, problem: expect.stringMatching(/link/) });
    mkdirSync(join(folder, "t"));
    execFileSync("mkfifo", [join(folder, "t", "a")]);
    expect(readFolder(join(folder, "t"))).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/no regular file/),
    });
    mkdirSync(join(folder, "u"));
    symlinkSync(join(folder, "t"), join(folder, "u", "a"));
    expect(readFolder(join(folder, "u"))).toMatchObject({ ok: false });
    writeFileSync(join(folder, "one"), "x");
    mkdirSync(join(folder, "v"));
    linkSync(join(folder, "one"), join(folder, "v", "two"));
    expect(readFolder(join(folder, "v"))).toMatchObject({ ok: true });
  });
});
