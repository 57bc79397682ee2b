import { readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { listImports, type SourceFile } from "./source-rules.ts";

/** Paths of features that have not moved to src/features yet. */
const notMovedYet: Readonly<Record<string, readonly string[]>> = {
  reminders: [
    "gateway/reminders/",
    "features/reminders/reminder-commands",
    "features/reminders/quiet-hours",
    "core/schedule/schedule",
    "core/schedule/read-",
    "core/schedule/find-",
    "core/schedule/resolve-",
    "core/schedule/describe-",
    "features/reminders/queries/reminders",
    "features/reminders/tools/remind",
    "tools/builtin/reminders/",
    "features/reminders/tools/list-reminders",
    "features/reminders/tools/cancel-reminder",
    "cli/reminders",
  ],
  memory: [
    "memory/people/",
    "memory/embedding/",
    "memory/text/",
    "features/memory/scope",
    "agents/facts/",
    "features/memory/recall.ts",
    "features/memory/recollect",
    "features/memory/note-facts",
    "features/memory/fact-jobs",
    "features/memory/memory-commands",
    "features/memory/forget-as-operator",
    "features/memory/preference-commands",
    "policy/preferences/",
    "core/facts/",
    "tools/builtin/memory/",
    "features/memory/tools/remember",
    "features/memory/tools/forget",
    "features/memory/tools/recall-memory",
    "features/memory/tools/list-memories",
    "features/memory/tools/get-user-profile",
    "cli/memory",
  ],
  chatlog: [
    "memory/chatlog/",
    "features/chatlog/chat-log",
    "features/chatlog/log-upkeep",
    "features/chatlog/ask-missed",
    "tools/builtin/chatlog/",
    "tools/builtin/search-by",
    "features/chatlog/tools/search-person",
    "features/chatlog/tools/search-semantic",
    "features/chatlog/tools/list-topics",
    "features/chatlog/tools/list-missed",
    "features/chatlog/tools/load-messages",
    "features/chatlog/tools/filter-by-person",
    "features/chatlog/tools/format-messages",
    "features/chatlog/tools/expand-query",
    "features/chatlog/tools/get-chatlog-stats",
    "cli/chatlog",
  ],
  summaries: [
    "features/summaries/summariser",
    "features/summaries/write-summary",
    "features/summaries/write-remarks",
    "features/summaries/must-keep",
    "features/summaries/is-binding",
    "features/summaries/summary-jobs",
  ],
  erase: ["gateway/erasure/", "memory/erase/", "store/queries/person-data/"],
  preview: [
    "workspace/preview/",
    "features/preview/preview-question",
    "features/preview/render-preview",
    "features/preview/previewer",
    "features/preview/queries/previews",
  ],
  "sub-agents": [
    "agents/sub-agents/",
    "gateway/tasks/",
    "features/sub-agents/settle-task",
    "kernel/turns/wait-for-tasks",
    "features/sub-agents/queries/tasks",
  ],
  skills: ["skills/", "features/skills/choose-skills", "cli/skill", "store/queries/skill"],
  mcp: ["mcp/", "gateway/mcp/", "features/mcp/mcp-command", "gateway/served/", "cli/mcp", "features/mcp/queries/mcp-pins"],
  "own-tools": ["tools/own/"],
  "work-tools": [
    "features/work-tools/browser",
    "features/work-tools/fetch",
    "tools/builtin/file",
    "features/work-tools/glob",
    "features/work-tools/grep",
    "features/work-tools/screenshot",
    "tools/builtin/search/",
    "features/work-tools/shell",
    "features/work-tools/web-search",
    "features/work-tools/followed-commands",
    "web/browser/",
  ],
  oversight: ["gateway/oversight/", "features/oversight/queries/pause", "features/oversight/queries/proof"],
  "account-links": [
    "features/account-links/account-links",
    "features/account-links/link-commands",
    "features/account-links/queries/account-links",
    "features/account-links/queries/link-codes",
  ],
  "contact-requests": [
    "features/contact-requests/contact-requests",
    "features/contact-requests/read-request-answer",
    "features/contact-requests/dispatch-request",
    "features/contact-requests/queries/contact-requests",
  ],
  "group-sense": [
    "features/group-sense/attention",
    "features/group-sense/is-named",
    "features/group-sense/is-loop",
    "features/group-sense/should-answer",
    "features/group-sense/overhear",
    "features/group-sense/queries/overheard",
    "features/group-sense/queries/reactions",
  ],
  steering: [
    "features/steering/later-words",
    "features/steering/interrupt-turn",
    "features/steering/busy-options",
    "features/steering/choose-busy",
    "features/steering/queries/steered-messages",
  ],
  cards: ["core/persona/cards/", "tools/cards/", "features/cards/order-card", "cli/persona/"],
  acp: ["cli/acp"],
};

/** Rooms that become the kernel, or stand below the features. The command line and the assembly may know features. */
const kernelRooms =
  /^(?:config|kernel|gateway|agents|policy|tools|channels|memory|workspace|models|sandbox|web|store|core)\//;

/** The feature that a file of src belongs to; undefined = none. */
export function featureOf(path: string): string | undefined {
  const inside = path.replace(/^src\//, "");
  const moved = /^features\/([^/]+)\//.exec(inside)?.[1];
  if (moved !== undefined) return moved;
  return Object.keys(notMovedYet).find((feature) => notMovedYet[feature]?.some((start) => inside.startsWith(start)));
}

function* listLocalImports(files: readonly SourceFile[]): Generator<{ readonly from: string; readonly to: string }> {
  for (const { path, text } of files)
    for (const specifier of listImports(text))
      if (path.startsWith("src/") && specifier.startsWith("."))
        yield { from: path, to: posix.normalize(posix.join(dirname(path), specifier)) };
}

/** `FROM -> TO` of each file of the kernel, or of a room below it, that imports a feature. */
export function listKernelImportsOfFeatures(files: readonly SourceFile[]): string[] {
  const found = [...listLocalImports(files)].filter(
    ({ from, to }) =>
      kernelRooms.test(from.replace(/^src\//, "")) && featureOf(from) === undefined && featureOf(to) !== undefined,
  );
  return [...new Set(found.map(({ from, to }) => `${from} -> ${to}`))].toSorted();
}

/** Imports of one moved feature by another that it does not name in `needs`. */
export function listUndeclaredNeeds(
  files: readonly SourceFile[],
  needs: Readonly<Record<string, readonly string[]>>,
): string[] {
  const inFeatures = (path: string) => path.startsWith("src/features/");
  return [...listLocalImports(files)]
    .filter(({ from, to }) => inFeatures(from) && inFeatures(to))
    .flatMap(({ from, to }) => {
      const [own = "", other = ""] = [featureOf(from), featureOf(to)];
      return own === other || needs[own]?.includes(other)
        ? []
        : [`${from}: imports ${to}, and ${own} does not need ${other}`];
    });
}

/** The imports of features by the kernel that are still allowed. A line that is gone from the code must go from the list. */
export function readAllowedImports(): string[] {
  const text = readFileSync(join(import.meta.dirname, "feature-imports.txt"), "utf8");
  return text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}
