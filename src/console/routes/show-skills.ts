import type { Language } from "../../core/conversation.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import type { ArchiveReview } from "../../features/skills/desk/archive-reviews.ts";
import type { DeskSkill } from "../../features/skills/desk/skill-desk.ts";
import { describeNeeds, describeRights } from "../../features/skills/store/describe-skill.ts";
import type { Finding } from "../../features/skills/store/scan-files.ts";
import { toLine } from "../names/name-sessions.ts";
import type { ArchiveReviewView, ChangedFileView, SkillFindingView, SkillView } from "../views/skills-views.ts";

const maxTitle = 120;
const maxDescription = 1_024;

export function showSkill(
  { choices, findings, missing, skill }: DeskSkill,
  chats: ReadonlyMap<string, string>,
): SkillView {
  const { description, folder, id, installed, name, origin, version } = skill;
  return {
    id,
    name: toLine(name, maxTitle),
    version: makeVisible(version),
    description: toLine(description, maxDescription),
    from: installed ? "installed" : origin === "shared" ? "shared" : "own",
    source: makeVisible(installed?.source ?? folder),
    missing: missing.map(makeVisible),
    choices: choices.map(({ choice, session }) => ({
      session,
      chat: chats.get(session) ?? makeVisible(session),
      choice,
    })),
    findings: findings.map(showFinding),
  };
}

/** Everything that a person must see before the approval; nothing is cut. */
export function showReview(review: ArchiveReview, language: Language): ArchiveReviewView {
  const { digest, id, isBlocked, over, skill } = review;
  return {
    review: id,
    hash: digest,
    id: skill.id,
    name: makeVisible(skill.name),
    version: makeVisible(skill.version),
    description: makeVisible(skill.description),
    files: skill.files.map(({ bytes, path }) => ({ path: makeVisible(path), bytes: bytes.length })),
    rights: [...describeRights(skill.rights, language), ...describeNeeds(skill.needs, language)].map(makeVisible),
    findings: skill.findings.map(showFinding),
    isBlocked,
    ...(over && {
      over: { version: makeVisible(over.version), files: over.changes.map(showChange) },
    }),
  };
}

/** The first two lines of a difference name the file on both sides. */
function showChange(change: string): ChangedFileView {
  const [before = "", after, ...lines] = change.trimEnd().split("\n");
  if (after === undefined) return { title: makeVisible(before), lines: [] };
  const path = (after === "+++ /dev/null" ? before : after).slice("+++ b/".length);
  return { title: makeVisible(path), lines };
}

function showFinding({ blocks, line, path, shown, what }: Finding): SkillFindingView {
  return {
    place: makeVisible(line > 0 ? `${path}:${line}` : path),
    what: makeVisible(what),
    shown: makeVisible(shown),
    blocks,
  };
}
