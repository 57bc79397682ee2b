import { posix } from "node:path";
import { listImports, type SourceRule, stripComments } from "./source-rules.ts";

/** Words that only this project used where the field has a name, and that name. */
const privateWords: Readonly<Record<string, string>> = {
  inHand: "inboxDispatcher",
  turnHold: "turnLease",
  requireHold: "assertLease",
  ruling: "ruleMatch or approvalDecision",
  standingPattern: "grantScope",
  standingYes: "grant",
  describeWay: "describeTransport",
  serverSlot: "mcpServerClient",
  firstSight: "ensureConnected",
  tellFirstSight: "announceNewServers",
  describeFirstSight: "describeNewServer",
  explainHeld: "describeQuarantine",
  askings: "pending elicitations",
  personNow: "resolveCurrentRole",
  nameAsker: "requesterOf",
  takeBack: "revokeDecision",
  classicNames: "toolAliases",
  toOwnName: "resolveAlias",
  meetServers: "ensureServersStarted",
  fate: "callStatus",
  traveller: "branchSwitcher",
  sendBack: "fork",
  fixedAnswers: "systemReplies",
  leftBehind: "reconcile",
  createVoice: "createPhrases",
  spot: "replyContext",
  skillLibrary: "skillRegistry",
};

const toKebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function listForms(word: string): readonly string[] {
  const pascal = `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
  return [word, pascal, `create${pascal}`].flatMap((form) => [form, `${form}s`]);
}

const forbidden = Object.entries(privateWords).map(([word, standard]) => ({
  word,
  standard,
  file: toKebab(word),
  pattern: new RegExp(`\\b(?:${listForms(word).join("|")})\\b`),
}));

/** Names of files and of what stands in the code; texts and comments are free. */
export const wordsAreStandard: SourceRule = (files) =>
  files.flatMap(({ path, text }) => {
    const names = path.split("/").map((part) => part.replace(/(?:\.test)?\.\w+$/, ""));
    const code = stripComments(text).replaceAll(/"(?:[^"\\\n]|\\.)*"|`[^`]*`/g, "");
    return forbidden
      .filter((each) => names.includes(each.file) || each.pattern.test(code))
      .map(({ word, standard }) => `${path}: says ${word}; the word of the field is ${standard}`);
  });

/** `src/<room>/<folder>`, or `src/<room>` for files beside the folders; undefined = no room's. */
function folderOf(path: string): string | undefined {
  const parts = path.split("/");
  if (parts[0] !== "src" || parts.length < 3) return undefined;
  return parts.slice(0, parts.length > 3 ? 3 : 2).join("/");
}

/** In these the files beside the folders put them together and are used by them, too. */
const roomsInOnePiece = new Set(["cli", "models", "workspace"]);
/** The types of a feature name parts of every folder of the kernel, and those take what the features made. */
const featureTypes = "src/kernel/feature";
/** Features that still know each other in both directions. The list only shrinks. */
const knownPairs = [
  ["chatlog", "memory"],
  ["mcp", "skills"],
].map((pair) => pair.map((name) => `src/features/${name}`));

/** Within a room, of two folders only one knows the other; the room's own files count as a folder. */
export const foldersGoOneWay: SourceRule = (files) => {
  const arrows = new Map<string, string>();
  for (const { path, text } of files) {
    const from = folderOf(path);
    for (const specifier of listImports(text).filter((one) => one.startsWith("."))) {
      const to = folderOf(posix.normalize(posix.join(posix.dirname(path), specifier)));
      if (from === undefined || to === undefined || from === to) continue;
      if ([from, to].includes(featureTypes) || knownPairs.some((pair) => pair.includes(from) && pair.includes(to)))
        continue;
      const room = from.split("/")[1] ?? "";
      if (room === to.split("/")[1] && !roomsInOnePiece.has(room)) arrows.set(`${from} ${to}`, path);
    }
  }
  return [...arrows].flatMap(([arrow, path]) => {
    const [from = "", to = ""] = arrow.split(" ");
    return arrows.has(`${to} ${from}`) ? [`${path}: ${from} and ${to} import each other`] : [];
  });
};

/** The share of all code that one room, or one feature, may hold. */
const maxShare = 0.2;

export const roomsAreEven: SourceRule = (files) => {
  const lines = new Map<string, number>();
  for (const { path, text } of files) {
    const [, top = "", inner = ""] = path.split("/");
    const room = top === "features" ? `${top}/${inner}` : top;
    if (path.startsWith("src/")) lines.set(room, (lines.get(room) ?? 0) + text.split("\n").length);
  }
  const all = [...lines.values()].reduce((sum, count) => sum + count, 0);
  return [...lines]
    .filter(([, count]) => count > all * maxShare)
    .map(([room, count]) => `src/${room}: holds ${Math.round((100 * count) / all)} % of the code`);
};
