import { statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { kurisuCommand } from "../../../core/kurisu-command.ts";
import { archivePattern } from "./read-archive.ts";

/** The source of a skill. `folder` inside of it holds the skill; "" = look for it. */
export type SkillSource =
  | { readonly kind: "git"; readonly url: string; readonly commit: string; readonly folder: string }
  | { readonly kind: "archive"; readonly path: string; readonly folder: string }
  /** An archive at an https address. Its content is identified by its digest, as always. */
  | { readonly kind: "download"; readonly url: string; readonly folder: string }
  | { readonly kind: "folder"; readonly path: string; readonly folder: string };

type SourceRead =
  | { readonly ok: true; readonly source: SkillSource }
  | { readonly ok: false; readonly problem: string };

const commitPattern = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
/** user@host:path, as ssh's own tools write it. */
const shortSsh = /^[a-z0-9_][\w.-]*@[a-z0-9][a-z0-9.-]*:[^:\s][^\s]*$/i;
const maxSourceLength = 2048;

/**
 * Reads what a person or a registry wrote: `https://…/repository@COMMIT`, `ssh://…`, `git@host:path@COMMIT`, a local repository
 * with `@COMMIT`, a folder or an archive. A branch or a tag is no source: it can name something else tomorrow.
 */
export function readSkillSource(
  written: string,
  { workingDirectory, folder = "" }: { readonly workingDirectory: string; readonly folder?: string },
): SourceRead {
  const refuse = (problem: string): SourceRead => ({ ok: false, problem });
  if (written === "" || written.length > maxSourceLength || /[\p{C}\s]/u.test(written.trim()))
    return refuse("The source is empty, too long, or has characters that are not taken.");
  const source = written.trim();
  if (source.startsWith("-")) return refuse("A source does not begin with a hyphen.");
  if (folder !== "" && !/^[\w.-]+(?:\/[\w.-]+)*$/.test(folder))
    return refuse(`${folder} is no folder inside a source.`);
  if (folder.split("/").includes("..")) return refuse("The folder must lie inside the source.");
  const at = source.lastIndexOf("@");
  const commit = at > 0 ? source.slice(at + 1) : "";
  const before = at > 0 ? source.slice(0, at) : source;

  if (commitPattern.test(commit)) {
    const url = readRepository(before, workingDirectory);
    if (url === undefined)
      return refuse(
        "A repository is named https://…@COMMIT, ssh://…@COMMIT, user@host:path@COMMIT or a local path@COMMIT.",
      );
    return { ok: true, source: { kind: "git", url, commit, folder } };
  }
  const page = readFolderPage(source);
  if (page !== undefined) return refuse(page);
  const address = readDownload(source);
  if (address !== undefined) return { ok: true, source: { kind: "download", url: address, folder } };
  if (isRepositoryAddress(source))
    return refuse(
      "A repository needs its full commit: ADDRESS@COMMIT with 40 (or 64) small hexadecimal digits. A branch or tag can change.",
    );
  const path = isAbsolute(source) ? source : resolve(workingDirectory, source);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return { ok: true, source: { kind: "folder", path, folder } };
  if (found?.isFile() !== true) return refuse(`There is no ${source} here.`);
  if (!archivePattern.test(path)) return refuse("An archive is a .skill, .zip, .tar.gz or .tgz file.");
  return { ok: true, source: { kind: "archive", path, folder } };
}

/** Anything that git would fetch from elsewhere, whether or not a commit follows it. */
function isRepositoryAddress(source: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(source) || shortSsh.test(source);
}

/** An https address that is a repository's own: no commit, no archive, no page inside of it. */
export function isRepositoryWithoutCommit(source: string): boolean {
  if (!source.startsWith("https://") || readDownload(source) !== undefined || readFolderPage(source) !== undefined)
    return false;
  return !source.includes("@") && readRepository(source, "/") !== undefined;
}

/** An https address whose path ends like an archive; undefined if it is none. */
function readDownload(source: string): string | undefined {
  const url = source.startsWith("https://") ? URL.parse(source) : null;
  if (url === null || url.username !== "" || url.password !== "" || url.hash !== "") return undefined;
  return archivePattern.test(url.pathname) ? url.href : undefined;
}

/** For the page of a folder or file in a repository's web view: a sentence with what to type instead. */
function readFolderPage(source: string): string | undefined {
  const url = source.startsWith("https://") ? URL.parse(source) : null;
  const [owner, name, ...rest] = url?.pathname.split("/").filter((part) => part !== "") ?? [];
  const [view, branch, ...inside] = rest[0] === "-" ? rest.slice(1) : rest;
  if (url === null || name === undefined || (view !== "tree" && view !== "blob") || branch === undefined)
    return undefined;
  const folder = (view === "blob" ? inside.slice(0, -1) : inside).join("/");
  const parts = [owner ?? "", name, branch, ...(folder === "" ? [] : folder.split("/"))];
  // It is copied into a shell.
  if (!parts.every((part) => /^[\w.-]+$/.test(part))) return "This is the page of a folder, not a repository.";
  const repository = `${url.origin}/${owner}/${name}`;
  const path = folder === "" ? "" : ` --path ${folder}`;
  const isNewest = branch === "main" || branch === "master";
  const commit = commitPattern.test(branch) ? `@${branch}` : isNewest ? "" : "@COMMIT";
  const how = commit === "@COMMIT" ? ` (COMMIT is what \`git ls-remote ${repository} ${branch}\` prints)` : "";
  return `This is the page of a folder, not a repository. Type instead${how}: ${kurisuCommand} skills install ${repository}${commit}${path}`;
}

/** Only what git itself takes without a helper program. undefined = none of it. */
function readRepository(written: string, workingDirectory: string): string | undefined {
  if (/^(?:https|ssh|file):\/\//.test(written)) {
    const url = URL.parse(written);
    if (url === null || url.hash !== "" || url.search !== "") return undefined;
    // A host or user that begins with a hyphen would be an option of ssh.
    if (url.hostname.startsWith("-") || url.username.startsWith("-") || url.password !== "") return undefined;
    if (url.protocol === "https:" && url.username !== "") return undefined;
    if (url.protocol !== "file:") return url.href;
    return url.host === "" ? decodePath(url.pathname) : undefined;
  }
  if (shortSsh.test(written) && !written.includes("::")) return written;
  if (/^[a-z][a-z0-9+.-]*:/i.test(written)) return undefined;
  const path = isAbsolute(written) ? written : resolve(workingDirectory, written);
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? path : undefined;
}

function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** As it goes into the lock, and can be given to install again. */
export function writeSkillSource(source: SkillSource): string {
  if (source.kind === "git") return `${source.url}@${source.commit}`;
  return source.kind === "download" ? source.url : source.path;
}
