import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { runGit, type GitOptions } from "./run-git.ts";
import {
  isInFolder,
  refuseFiles,
  skillLimits,
  tooLarge,
  tooMany,
  type SkillFile,
  type SkillFilesRead,
} from "./skill-files.ts";

interface TreeEntry {
  readonly path: string;
  readonly object: string;
  readonly size: number;
}

/**
 * The files of one commit, or of one folder in it. It is fetched by its hash into a bare repository in `quarantine` and its objects are read one by
 * one: nothing is ever checked out, so no link, filter or attribute of the repository comes into effect.
 */
export async function readGit(
  { url, commit, folder: only = "" }: { readonly url: string; readonly commit: string; readonly folder?: string },
  options: { readonly quarantine: string; readonly proxy?: string; readonly signal?: AbortSignal },
): Promise<SkillFilesRead> {
  const folder = join(options.quarantine, "repository");
  mkdirSync(folder, { recursive: true });
  const { proxy, signal } = options;
  const shared = { folder, ...(proxy !== undefined && { proxy }), ...(signal && { signal }) };
  const read: GitOptions = { ...shared, transport: "" };
  const carry: GitOptions = { ...shared, transport: transportOf(url) };

  const format = commit.length === 64 ? "sha256" : "sha1";
  const begun = await runGit(["init", "--quiet", "--bare", "--template=", `--object-format=${format}`, "."], read);
  if (!begun.ok) return refuseFiles(begun.problem);
  const transport = ["-c", `protocol.${transportOf(url)}.allow=always`];
  const bring = (...what: string[]) =>
    runGit(
      [...transport, "fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", ...what],
      carry,
    );
  const one = await bring("--depth=1", "--", url, commit);
  if (!one.ok && one.isTooMuch) return refuseFiles(one.problem);
  if (!one.ok) {
    // Some servers only give what a branch or tag names.
    const all = await bring("--", url, "+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*");
    if (!all.ok) return refuseFiles(all.problem);
  }
  const kind = await runGit(["cat-file", "-t", commit], read);
  if (!kind.ok || kind.output.toString().trim() !== "commit")
    return refuseFiles(`the repository has no commit ${commit}`);
  const listed = await runGit(["ls-tree", "-r", "-l", "-z", "--full-tree", commit], read);
  if (!listed.ok) return refuseFiles(listed.problem);
  const entries = readTree(listed.output, only);
  if (typeof entries === "string") return refuseFiles(entries);
  return await readObjects(entries, read);
}

/** The newest commit of a repository's default branch. */
export async function findNewestCommit(
  url: string,
  { quarantine }: { readonly quarantine: string },
): Promise<{ readonly ok: true; readonly commit: string } | { readonly ok: false; readonly problem: string }> {
  mkdirSync(quarantine, { recursive: true });
  const transport = transportOf(url);
  const listed = await runGit(["-c", `protocol.${transport}.allow=always`, "ls-remote", "--quiet", "--", url, "HEAD"], {
    folder: quarantine,
    transport,
  });
  if (!listed.ok) return listed;
  const commit = /^([0-9a-f]{40,64})\tHEAD$/m.exec(listed.output.toString())?.[1];
  return commit === undefined ? { ok: false, problem: "the repository names no newest commit" } : { ok: true, commit };
}

function transportOf(url: string): "https" | "ssh" | "file" {
  if (url.startsWith("https://")) return "https";
  return url.startsWith("/") ? "file" : "ssh";
}

/** Returns a sentence if something in it is no regular file or there is too much of it. */
function readTree(output: Buffer, only: string): readonly TreeEntry[] | string {
  const rows = output
    .toString("utf8")
    .split("\0")
    .filter((row) => row !== "" && isInFolder(row.slice(row.indexOf("\t") + 1), only));
  if (rows.length > skillLimits.files) return tooMany;
  const entries: TreeEntry[] = [];
  for (const row of rows) {
    const match = /^(\d{6}) (\w+) ([0-9a-f]+) +(\d+|-)\t([\s\S]+)$/.exec(row);
    if (match === null) return "git listed its files in a way that is not understood";
    const [, mode = "", kind = "", object = "", size = "", path = ""] = match;
    if (kind !== "blob" || !["100644", "100755"].includes(mode)) {
      const what = mode === "160000" ? "a submodule" : "a link or no regular file";
      return `${JSON.stringify(path)} is ${what}`;
    }
    entries.push({ path, object, size: Number(size) });
  }
  return entries.reduce((sum, { size }) => sum + size, 0) > skillLimits.bytes ? tooLarge : entries;
}

async function readObjects(entries: readonly TreeEntry[], options: GitOptions): Promise<SkillFilesRead> {
  const input = entries.map(({ object }) => `${object}\n`).join("");
  const answer = await runGit(["cat-file", "--batch"], { ...options, input });
  if (!answer.ok) return refuseFiles(answer.problem);
  const files: SkillFile[] = [];
  let at = 0;
  for (const { path, object, size } of entries) {
    const header = `${object} blob ${size}\n`;
    const start = at + header.length;
    if (answer.output.toString("latin1", at, start) !== header) return refuseFiles("git answered with another object");
    files.push({ path, bytes: Buffer.from(answer.output.subarray(start, start + size)) });
    at = start + size + 1;
  }
  return { ok: true, files };
}
