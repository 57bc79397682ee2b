import { globSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { parseCard } from "../../src/core/persona/cards/character-card.ts";
import { writeCard } from "../../src/core/persona/cards/write-card.ts";
import { qqExports } from "../features/chatlog/import/qq-exports.ts";
import { telegramExports } from "../features/chatlog/import/telegram-exports.ts";
import { makeZip } from "../support/make-zip.ts";
import { commitAll, makeRepository, plainSkill, writeTree } from "../support/skill-source.ts";
import { root } from "./list-commands.ts";

/** The things that the documented commands speak of, under the names that the documents give them. */

const example = (path: string): string => readFileSync(join(root, "examples", path), "utf8");

/** Files of the config folder: the skills that Kurisu brings, the examples, and what docs/tools.md shows. */
export function readShownConfiguration(): Readonly<Record<string, string>> {
  const skills = globSync("skills/*/**/*.*", { cwd: join(root, "config") });
  return {
    ...Object.fromEntries(skills.map((path) => [path, readFileSync(join(root, "config", path), "utf8")])),
    "tools/feels_like.ts": example("tool-weather/feels_like.ts"),
    "tools/caesar.ts": readCaesar(),
    "system/tools.yaml": example("tool-weather/tools.yaml"),
    "skills/tides/SKILL.md": example("skill-tides/SKILL.md"),
    "skills/tides/examples.txt": example("skill-tides/examples.txt"),
    "skills/tides/scripts/tide.sh": example("skill-tides/scripts/tide.sh"),
  };
}

/** The tool that docs/tools.md shows, to the letter. */
function readCaesar(): string {
  const [, code = ""] =
    /```ts\n(\/\/ config\/tools\/caesar\.ts\n[\s\S]*?)```/.exec(readFileSync(join(root, "docs/tools.md"), "utf8")) ??
    [];
  return code;
}

export interface ShownFiles {
  /** The repository of skills, and its first commit. */
  readonly skills: string;
  readonly commit: string;
  /** Commits a new version of the skill. */
  changeSkill(): void;
}

/** Writes the files that the commands name into the folder that they run in. */
export function writeShownFiles(folder: string): ShownFiles {
  mkdirSync(folder, { recursive: true });
  symlinkSync(join(root, "examples"), join(folder, "examples"));
  const chunk = JSON.parse(findExport("JSON of QQChatExporter V5", qqExports)) as {
    readonly messages: readonly object[];
  };
  const telegram = findExport("one chat of Telegram Desktop", telegramExports);
  writeTree(folder, {
    "result.json": telegram,
    "group.json": telegram,
    "家.txt": "消息对象:家\n\n2024-05-01 12:00:00 小安\n搬家那天\n\n2024-05-01 12:00:01 小明\n搬家的车来了\n",
    "group_501_chunked_jsonl/manifest.json": JSON.stringify({
      ...chunk,
      messages: undefined,
      metadata: { version: "5.0.0", format: "chunked-jsonl" },
      chunked: { chunksDir: "chunks", chunks: [{ file: "chunks/c000001.jsonl" }] },
    }),
    "group_501_chunked_jsonl/chunks/c000001.jsonl": chunk.messages.map((one) => JSON.stringify(one)).join("\n"),
    "folder-or-archive.skill": makeZip([
      {
        name: "skill.yaml",
        content: Buffer.from(plainSkill.replace("weather", "archived").replaceAll("天气", "档案")),
      },
    ]),
    "mira.png": drawCard("Mira"),
  });
  const skills = join(folder, "skills.git");
  const commit = makeRepository(skills, { "weather/skill.yaml": plainSkill });
  return {
    skills,
    commit,
    changeSkill() {
      writeTree(skills, { "weather/skill.yaml": plainSkill.replace("1.0.0", "1.1.0") });
      commitAll(skills);
    },
  };
}

function findExport(what: string, among: readonly { readonly what: string; readonly text: string }[]): string {
  const found = among.find((one) => one.what === what);
  if (found === undefined) throw new Error(`there is no export "${what}"`);
  return found.text;
}

/** The card of the examples under another name, as a picture. */
function drawCard(name: string): Buffer {
  const read = parseCard(JSON.parse(example("persona/rin.json").replaceAll("Rin", name)));
  if (read.kind === "refused") throw new Error(read.problem);
  return writeCard(read.card, { format: "png", version: 2, picture: undefined, assets: new Map() });
}
