/** One version's part of a changelog (https://keepachangelog.com). */
interface ReleaseNotes {
  readonly version: string;
  readonly sections: readonly { readonly title: string; readonly entries: readonly string[] }[];
}

/** The parts of a changelog, in its order. An entry that continues on further lines is joined into one. */
function readChangelog(text: string): readonly ReleaseNotes[] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((part) => ({
      version: /^\[?([^\]\s:]+)/.exec(part)?.[1] ?? "",
      sections: part
        .split(/^### /m)
        .slice(1)
        .map((section) => {
          const [title = "", ...lines] = section.split("\n");
          return { title: title.trim(), entries: readEntries(lines) };
        }),
    }));
}

function readEntries(lines: readonly string[]): readonly string[] {
  const entries: string[] = [];
  for (const line of lines) {
    if (/^[-*] /.test(line)) entries.push(line.slice(2).trim());
    else if (/^\s+\S/.test(line) && entries.length > 0) entries.push(`${entries.pop() ?? ""} ${line.trim()}`);
  }
  // A link is shown as its words.
  return entries.map((entry) => entry.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1"));
}

/** Sections that may need the operator's attention, in the order in which they are told. The others are only counted. */
const urgentSections = ["Security", "Removed", "Changed", "Deprecated"];

export interface Changes {
  /** In the words of the changelog, each with the section's title: `Removed: …`. */
  readonly urgent: readonly string[];
  /** Entries of other sections. */
  readonly others: number;
}

/** The changes of the versions after `from`, up to and including `to`. None after a step back, or without a part for `to`. */
export function listChanges(changelog: string, from: string, to: string): Changes {
  if (compareVersions(to, from) <= 0) return { urgent: [], others: 0 };
  const notes = readChangelog(changelog);
  const first = notes.findIndex(({ version }) => version === to);
  const last = notes.findIndex(({ version }) => version === from);
  if (first === -1) return { urgent: [], others: 0 };
  const sections = notes.slice(first, last === -1 ? undefined : last).flatMap((release) => release.sections);
  const urgent = urgentSections.flatMap((title) =>
    sections
      .filter((section) => section.title === title)
      .flatMap(({ entries }) => entries.map((entry) => `${title}: ${entry}`)),
  );
  const all = sections.reduce((count, { entries }) => count + entries.length, 0);
  return { urgent, others: all - urgent.length };
}

/** By their numbers (https://semver.org); what is no version counts as the newest. */
function compareVersions(one: string, other: string): number {
  const numbers = (version: string) => (/^\d+\.\d+\.\d+/.exec(version)?.[0] ?? "Infinity").split(".").map(Number);
  const [left, right] = [numbers(one), numbers(other)];
  const at = left.findIndex((number, index) => number !== (right[index] ?? 0));
  return at === -1 ? 0 : Math.sign((left[at] ?? 0) - (right[at] ?? 0));
}
