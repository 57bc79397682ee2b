import { createHash } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Sandbox } from "../../../sandbox/types.ts";
import { needPatterns, type NeedKind, type SkillNeeds } from "./read-needs.ts";

export type NeedsCheck =
  | { readonly kind: "checked"; readonly image: string; readonly missing: SkillNeeds }
  /** `reason` ends with what to do. */
  | { readonly kind: "unchecked"; readonly reason: string };

const checkMs = 60_000;
const kinds: readonly NeedKind[] = ["python", "node", "programs"];

export function needsNothing(needs: SkillNeeds): boolean {
  return kinds.every((kind) => needs[kind].length === 0);
}

export function joinNeeds(all: readonly SkillNeeds[]): SkillNeeds {
  const join = (kind: NeedKind) => [...new Set(all.flatMap((one) => one[kind]))].toSorted();
  return { python: join("python"), node: join("node"), programs: join("programs") };
}

/** The part of `needs` that is in `missing`. */
export function pickMissing(needs: SkillNeeds, missing: SkillNeeds): SkillNeeds {
  const pick = (kind: NeedKind) => needs[kind].filter((name) => missing[kind].includes(name));
  return { python: pick("python"), node: pick("node"), programs: pick("programs") };
}

/**
 * Looks into the image of commands, in a separate container. Nothing of the skill is in there, and nothing is imported.
 */
export async function checkNeeds(
  needs: SkillNeeds,
  { sandbox, home }: { readonly sandbox: Pick<Sandbox, "status" | "run">; readonly home: string },
): Promise<NeedsCheck> {
  const status = await sandbox.status();
  if (status.state !== "ready") return { kind: "unchecked", reason: `${status.detail} ${status.remedy}` };
  // Named like the folder of a conversation: the engine guard lets no other through.
  const name = createHash("sha256").update("needs of skills").digest("hex").slice(0, 32);
  const workspace = join(home, "workspaces", name);
  rmSync(workspace, { recursive: true, force: true });
  mkdirSync(workspace, { recursive: true, mode: 0o755 });
  try {
    const outcome = await sandbox.run({
      command: writeCheck(needs),
      cwd: ".",
      timeoutMs: checkMs,
      workspace,
      session: "needs of skills",
      fresh: true,
      measured: false,
      signal: AbortSignal.timeout(checkMs * 2),
    });
    if (outcome.kind === "unavailable") return { kind: "unchecked", reason: `${outcome.reason} ${outcome.remedy}` };
    if (outcome.kind === "stopped" || outcome.exitCode !== 0 || !outcome.stdout.endsWith("done\n"))
      return { kind: "unchecked", reason: "The check in the container did not end. Run it again." };
    return { kind: "checked", image: status.image.name, missing: readMissing(needs, outcome.stdout) };
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}

const python =
  "import importlib.util, sys\\nfor name in sys.argv[1:]:\\n  try: found = importlib.util.find_spec(name)\\n  except Exception: found = None\\n  if found is None: print('missing python', name)";
const node =
  "for (const name of process.argv.slice(1)) try { require.resolve(name) } catch (error) { if (error.code === 'MODULE_NOT_FOUND') console.log('missing node', name) }";

/** Every name is held to its pattern here once more: it becomes a word of a command. */
function writeCheck(needs: SkillNeeds): string {
  const list = (kind: NeedKind) => needs[kind].filter((name) => needPatterns[kind].test(name)).join(" ");
  const missingAll = (kind: string, names: string) => `for n in ${names}; do echo "missing ${kind} $n"; done`;
  const [modules, packages, programs] = kinds.map(list);
  return [
    ...(programs === ""
      ? []
      : [`for n in ${programs}; do command -v "$n" >/dev/null || echo "missing programs $n"; done`]),
    ...(modules === ""
      ? []
      : [
          `if command -v python3 >/dev/null; then python3 -c $'${python.replaceAll("'", "\\'")}' ${modules}; else ${missingAll("python", modules ?? "")}; fi`,
        ]),
    ...(packages === ""
      ? []
      : [
          `if command -v node >/dev/null; then export NODE_PATH="$(npm root -g 2>/dev/null):/usr/local/lib/node_modules:/usr/share/nodejs"; node -e "${node}" ${packages}; else ${missingAll("node", packages ?? "")}; fi`,
        ]),
    "echo done",
  ].join("\n");
}

function readMissing(needs: SkillNeeds, output: string): SkillNeeds {
  const lines = new Set(output.split("\n"));
  const pick = (kind: NeedKind) => needs[kind].filter((name) => lines.has(`missing ${kind} ${name}`));
  return { python: pick("python"), node: pick("node"), programs: pick("programs") };
}
