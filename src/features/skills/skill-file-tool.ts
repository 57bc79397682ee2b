import { realpath } from "node:fs/promises";
import { z } from "zod";
import { defineTool } from "../../kernel/tools/define-tool.ts";
import { decodeText } from "../../workspace/decode-text.ts";
import { describeFileFault } from "../../workspace/file-faults.ts";
import { createHostFiles } from "../../workspace/host-files.ts";
import { chooseAnchoring } from "../../workspace/open-folder.ts";
import { parseWorkspacePath } from "../../workspace/parse-workspace-path.ts";
import { selectLines } from "../../workspace/select-lines.ts";
import { isForeign } from "./loader/types.ts";
import type { SessionSkills } from "./session-skills.ts";

const maxFileSize = 512 * 1024;

/** Reads files next to a skill's text on demand; nothing outside of its folder, and nothing is written. */
export function createSkillFileTool({ skills }: { readonly skills: SessionSkills }) {
  const files = createHostFiles({ anchoring: chooseAnchoring(), owner: undefined });
  return defineTool({
    name: "skill_file",
    kind: "read",
    description: {
      zh: "读技能文件夹里的文件，例如 references/api.md。不给 path 就列出有什么。",
      en: "Read a file of a skill's folder, such as references/api.md. Without a path it lists what is there.",
    },
    input: z.strictObject({
      skill: z.string().min(1).max(64).describe("The id of the skill."),
      path: z.string().max(1024).default(".").describe('Path within the skill\'s folder; "." lists it.'),
      offset: z.number().int().min(0).default(0).describe("First line, counted from 0."),
      limit: z.number().int().min(1).max(2000).default(200).describe("Lines at most, 1 to 2000."),
    }),
    level: "safe",
    readOnly: true,
    idempotent: true,
    place: "gateway",
    summarize: ({ skill, path }) => `${skill}/${path}`,
    async run({ skill: id, path, offset, limit }, { session }) {
      const found = (await skills.list(session)).find(({ skill }) => skill.id === id);
      if (found?.state.kind !== "ready") {
        return { ok: false, error: `There is no skill ${id} to read here; find_skill tells which there are.` };
      }
      const { folder } = found.skill;
      const parsed = parseWorkspacePath(path);
      if (!parsed.ok) return { ok: false, error: parsed.error.replaceAll("the workspace", "the skill's folder") };
      const taint = isForeign(found.skill) ? { taint: "untrusted" as const } : {};
      try {
        // The location of the folder itself is the operator's business; inside of it no link is followed.
        const place = { session: "", folder: await realpath(folder) };
        if (parsed.relative === ".") {
          const listing = await files.list(place, parsed, { most: 200, depth: 3 });
          const paths = listing.entries
            .filter(({ kind, path: at }) => kind === "file" && !isKept(at))
            .map((entry) => entry.path);
          return { ok: true, output: { files: paths, has_more: !listing.complete }, ...taint };
        }
        if (isKept(parsed.relative)) return { ok: false, error: "mcp.json may hold keys and is not read." };
        const text = decodeText(await files.read(place, parsed, maxFileSize), path);
        const { content, totalLines, hasMore } = selectLines(text, offset, limit);
        return { ok: true, output: { content, total_lines: totalLines, has_more: hasMore }, ...taint };
      } catch (error) {
        return {
          ok: false,
          error: describeFileFault(error, path, maxFileSize).replaceAll("the workspace", "the skill's folder"),
        };
      }
    },
  });
}

/** Server lists are for the operator: they hold tokens. */
function isKept(path: string): boolean {
  return path.toLowerCase() === "mcp.json";
}
