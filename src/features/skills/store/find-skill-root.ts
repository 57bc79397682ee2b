import { parseDocument } from "yaml";
import { skillIdPattern } from "../loader/types.ts";
import { readText } from "./scan-files.ts";
import { refuseFiles, type SkillFile, type SkillFilesRead } from "./skill-files.ts";

const manifests = ["skill.yaml", "SKILL.md"] as const;

/** Only files of the skill's own folder: the named one, the top, or the only one that holds a skill. */
export function findSkillRoot(files: readonly SkillFile[], folder: string): SkillFilesRead {
  const plain = files.map(({ path, bytes }) => ({ path: path.replace(/^(?:\.\/)+/, ""), bytes }));
  const roots = [
    ...new Set(
      plain.flatMap(({ path }) => {
        const name = path.slice(path.lastIndexOf("/") + 1);
        return manifests.some((manifest) => manifest === name)
          ? [path.slice(0, Math.max(0, path.lastIndexOf("/")))]
          : [];
      }),
    ),
  ].toSorted();
  const root =
    folder === ""
      ? chooseRoot(roots)
      : (roots.find((one) => one === folder) ?? roots.find((one) => one.endsWith(`/${folder}`)));
  if (root === undefined) {
    const many = roots.slice(0, 20).map((one) => one || ".");
    return refuseFiles(
      roots.length === 0
        ? `it holds no skill${folder === "" ? "" : ` in a folder ${folder}`}: there is no SKILL.md and no skill.yaml`
        : `it holds several skills; name one of these folders with --path: ${many.join(", ")}`,
    );
  }
  const prefix = root === "" ? "" : `${root}/`;
  const inside = plain.filter(({ path }) => path.startsWith(prefix));
  return { ok: true, files: inside.map(({ path, bytes }) => ({ path: path.slice(prefix.length), bytes })) };
}

function chooseRoot(roots: readonly string[]): string | undefined {
  return roots.includes("") || roots.length !== 1 ? roots.find((root) => root === "") : roots[0];
}

/** The id that a skill declares, which will be the name of its folder. undefined = it has no valid one. */
export function readSkillId(files: readonly SkillFile[]): string | undefined {
  const find = (name: string) => {
    const file = files.find(({ path }) => path === name);
    return file && readText(file.bytes);
  };
  const markdown = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(find("SKILL.md") ?? "")?.[1];
  const candidates = [readKey(find("skill.yaml"), "id"), readKey(markdown, "name")];
  return candidates.find((id): id is string => id !== undefined && skillIdPattern.test(id));
}

function readKey(text: string | undefined, key: string): string | undefined {
  if (text === undefined) return undefined;
  const document = parseDocument(text, { prettyErrors: false });
  // Frontmatter in the wild has colons that need quotes; the line itself is clear enough.
  const value: unknown = document.errors.length === 0 ? document.get(key) : undefined;
  if (typeof value === "string") return value;
  const written = text.split("\n").find((line) => line.startsWith(`${key}:`));
  return written
    ?.slice(key.length + 1)
    .trim()
    .replace(/^["']|["']$/g, "");
}
