import { existsSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { findNewestCommit, readGit } from "../../../../src/features/skills/store/read-git.ts";
import { maxFetched } from "../../../../src/features/skills/store/run-git.ts";
import { readSkillSource } from "../../../../src/features/skills/store/skill-source.ts";
import {
  commitAll,
  git,
  makeLargeRepository,
  makeRepository,
  plainSkill,
  writeTree,
} from "../../../support/skill-source.ts";
import { createTemporaryFolder } from "../../../support/temporary-folder.ts";

let folder: string;
beforeEach(async () => {
  folder = await createTemporaryFolder();
});

const none = "0".repeat(40);
const read = (url: string, commit: string) => readGit({ url, commit }, { quarantine: join(folder, "quarantine") });

describe("a commit of a repository", () => {
  test("gives exactly its files, whatever came later", async () => {
    const repository = join(folder, "r");
    const commit = makeRepository(repository, { "skill.yaml": plainSkill, "bin.dat": Buffer.from([0, 255, 10]) });
    writeTree(repository, { "skill.yaml": "later" });
    const later = commitAll(repository);
    const result = await read(repository, commit);
    expect(result.ok && result.files.map(({ path, bytes }) => [path, bytes.toString("latin1")])).toEqual([
      ["bin.dat", "\x00\xff\n"],
      ["skill.yaml", Buffer.from(plainSkill).toString("latin1")],
    ]);
    expect(await findNewestCommit(repository, { quarantine: folder })).toEqual({ ok: true, commit: later });
  });

  test("readGit refuses a commit that is missing or is a tag or a tree", async () => {
    const repository = join(folder, "r");
    makeRepository(repository, { a: "b" });
    const tree = git(repository, "rev-parse", "HEAD^{tree}");
    expect(await read(repository, none)).toMatchObject({ ok: false });
    expect(await read(repository, tree)).toMatchObject({ ok: false, problem: expect.stringContaining("no commit") });
    expect(await read(join(folder, "nowhere"), none)).toMatchObject({ ok: false });
  });

  test("readGit refuses a commit with a link or a submodule", async () => {
    const linked = join(folder, "linked");
    makeRepository(linked, { a: "b" });
    symlinkSync("/etc/passwd", join(linked, "secret"));
    expect(await read(linked, commitAll(linked))).toMatchObject({ ok: false, problem: expect.stringMatching(/link/) });
    const inner = join(folder, "inner");
    makeRepository(inner, { a: "b" });
    const outer = join(folder, "outer");
    makeRepository(outer, { a: "b" });
    git(outer, "submodule", "--quiet", "add", inner, "sub");
    expect(await read(outer, commitAll(outer))).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/submodule/),
    });
  });

  test("readGit never fetches beyond the limit, neither by hash nor with all branches", async () => {
    const repository = join(folder, "large");
    const commit = makeLargeRepository(repository);
    expect(await read(repository, commit)).toEqual({
      ok: false,
      problem: expect.stringContaining("more than 64 MB would have to be fetched"),
    });
    // A commit that no server gives by its hash: then all branches are asked for, and bounded as well.
    expect(await read(repository, none)).toEqual({ ok: false, problem: expect.stringContaining("more than 64 MB") });
    const left = readdirSync(join(folder, "quarantine"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath, entry.name)).size);
    expect(Math.max(...left)).toBe(maxFetched);
    expect(left.reduce((sum, size) => sum + size, 0)).toBeLessThan(2.1 * maxFetched);
    const small = join(folder, "small");
    expect(await read(small, makeRepository(small, { "skill.yaml": plainSkill }))).toMatchObject({ ok: true });
  });

  test("runs no filter, hook or attribute of the repository, and no setting of the person's", async () => {
    const mark = join(folder, "ran");
    const repository = join(folder, "r");
    const commit = makeRepository(repository, {
      ".gitattributes": "* filter=evil export-subst ident\nskill.yaml export-ignore\n",
      "skill.yaml": `${plainSkill}# $Format:%H$ $Id$\n`,
    });
    git(repository, "config", "filter.evil.smudge", `touch ${mark}; cat`);
    git(repository, "config", "core.fsmonitor", `touch ${mark}`);
    git(repository, "config", "uploadpack.packObjectsHook", `touch ${mark}; "$@"`);
    writeFileSync(join(repository, ".git", "hooks", "post-checkout"), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
    const result = await read(repository, commit);
    expect(result.ok && result.files.find(({ path }) => path === "skill.yaml")?.bytes.toString()).toContain(
      "$Format:%H$ $Id$",
    );
    expect(existsSync(mark)).toBe(false);
  });
});

describe("a source", () => {
  const source = (written: string, more: { folder?: string } = {}) =>
    readSkillSource(written, { workingDirectory: folder, ...more });
  const commit = "a".repeat(40);

  test("a source is an address with a full commit, or a local path", () => {
    writeTree(folder, { "s/SKILL.md": "x", "s.zip": "PK", "note.txt": "x" });
    expect(source(`https://example.org/a/b.git@${commit}`)).toEqual({
      ok: true,
      source: { kind: "git", url: "https://example.org/a/b.git", commit, folder: "" },
    });
    expect(source(`git@example.org:a/b.git@${commit}`)).toMatchObject({
      ok: true,
      source: { url: "git@example.org:a/b.git" },
    });
    expect(source(`ssh://git@example.org/a@${commit}`)).toMatchObject({ ok: true });
    expect(source(`./s@${commit}`)).toMatchObject({ ok: true, source: { kind: "git", url: join(folder, "s") } });
    expect(source(`file://${folder}/s@${commit}`)).toMatchObject({ ok: true, source: { url: join(folder, "s") } });
    expect(source("s", { folder: "a/b" })).toMatchObject({ ok: true, source: { kind: "folder", folder: "a/b" } });
    expect(source("s.zip")).toMatchObject({ ok: true, source: { kind: "archive" } });
    expect(source("note.txt")).toMatchObject({ ok: false, problem: expect.stringContaining("archive") });
    expect(source("missing")).toMatchObject({ ok: false, problem: expect.stringContaining("no missing") });
  });

  test.each([
    "",
    "-rf",
    `--upload-pack=touch x@${commit}`,
    `ext::sh -c touch% x@${commit}`,
    `ext::sh@${commit}`,
    `fd::17@${commit}`,
    `http://example.org/a@${commit}`,
    `git://example.org/a@${commit}`,
    `https://user@example.org/a@${commit}`,
    `https://user:word@example.org/a@${commit}`,
    `ssh://-oProxyCommand=touch/x@${commit}`,
    `ssh://git@-oProxyCommand=touch/x@${commit}`,
    `-oProxyCommand=x@host:path@${commit}`,
    `git@-oProxyCommand:path@${commit}`,
    `file://example.org/a@${commit}`,
    `file:///%zz@${commit}`,
    `https://example.org/a?x@${commit}`,
    `https://example.org/a#x@${commit}`,
    "https://example.org/a",
    "https://example.org/a@main",
    "https://example.org/a@abc1234",
    `https://example.org/a@${"A".repeat(40)}`,
    "git@example.org:a/b.git",
    `https://example.org/a b@${commit}`,
    `https://example.org/a\u202E@${commit}`,
  ])("the reader refuses the source %j", (written) => expect(source(written)).toMatchObject({ ok: false }));

  test.each(["../x", "/x", "-x/../..", "a//b", "a b"])("the reader does not look for the skill in %j", (inside) => {
    writeTree(folder, { "s/SKILL.md": "x" });
    expect(source("s", { folder: inside })).toMatchObject({ ok: false });
  });
});
