import type { CommandMenu } from "../../channels/define-channel.ts";
import type { Language } from "../../core/conversation.ts";
import type { Words } from "../../core/words/dictionary.ts";
import { wordsFor } from "../../core/words/words.ts";
import type { CommandAnswer, CommandCall } from "./command-call.ts";
import type { CommandHandlers } from "./command-handlers.ts";
import { tellAs } from "../outbox/tell-as.ts";
import { readLinkCode } from "../people/account-links.ts";
import type { Role } from "../../policy/types.ts";

/** A command people can write in a chat. */
export interface ChatCommand {
  /** Without the slash; the first is listed, the others are heard too. */
  readonly names: readonly [string, ...string[]];
  /** Its texts, for the menus of platforms and for /help; absent = it is in no list. */
  readonly words?: keyof Words["commandMenu"];
  /** members = everybody but guests, who may look in a group, but not take the others' work away. */
  readonly who: "everybody" | "members" | "owners";
  /** It needs no work, so it is heard while everything is paused. */
  readonly whilePaused?: true;
  /** /help shows it; the others are in `/help all`. */
  readonly everyday?: true;
  /** Members of a group have a use for it; the rest is listed in private only. */
  readonly inGroups?: true;
  /** People who need not mention her for it in a group. */
  readonly withoutMention?: (call: { readonly role: Role; readonly rest: string }) => boolean;
  /** It puts something before the model, so it counts as a message. */
  readonly beginsTurn?: (rest: string) => boolean;
  /** undefined = it has answered by itself, and its row is done or in the lane. */
  readonly answer: (
    handlers: CommandHandlers,
    call: CommandCall,
  ) => CommandAnswer | undefined | Promise<CommandAnswer | undefined>;
}

/** Every command, in the order in which they are listed. They never wait for the lane: /stop must reach a stuck turn. */
export const chatCommands: readonly ChatCommand[] = [
  { names: ["start"], who: "everybody", whilePaused: true, answer: ({ greet }, call) => greet(call) },
  {
    names: ["help"],
    words: "help",
    who: "everybody",
    whilePaused: true,
    inGroups: true,
    answer: (_, call) => ({ text: describeCommands(call) }),
  },
  {
    names: ["status"],
    words: "status",
    everyday: true,
    who: "everybody",
    whilePaused: true,
    inGroups: true,
    answer: ({ showStatus }, call) => showStatus(call),
  },
  {
    names: ["stop"],
    words: "stop",
    everyday: true,
    who: "members",
    whilePaused: true,
    inGroups: true,
    answer: ({ stop }, call) => stop(call),
  },
  {
    names: ["new", "reset"],
    words: "new",
    everyday: true,
    who: "members",
    inGroups: true,
    answer: ({ startOver }, call) => startOver(call),
  },
  { names: ["undo"], words: "undo", everyday: true, who: "members", answer: ({ undo }, call) => undo(call) },
  {
    names: ["todo"],
    words: "todo",
    who: "members",
    inGroups: true,
    answer: ({ showTodoList }, call) => showTodoList(call),
  },
  {
    names: ["skills"],
    words: "skills",
    who: "members",
    inGroups: true,
    answer: ({ chooseSkills }, call) => chooseSkills(call),
  },
  { names: ["voice"], words: "voice", who: "members", inGroups: true, answer: ({ voice }, call) => voice(call) },
  {
    names: ["reminders"],
    words: "reminders",
    everyday: true,
    who: "everybody",
    inGroups: true,
    answer: ({ reminders }, call) => reminders(call),
  },
  {
    names: ["remind"],
    words: "remind",
    everyday: true,
    who: "everybody",
    inGroups: true,
    answer: ({ remind }, call) => remind(call),
  },
  {
    names: ["memory"],
    words: "memory",
    everyday: true,
    who: "members",
    inGroups: true,
    answer: ({ memory }, call) => memory(call),
  },
  {
    names: ["remember"],
    words: "remember",
    everyday: true,
    who: "members",
    inGroups: true,
    answer: ({ remember }, call) => remember(call),
  },
  {
    names: ["forget"],
    words: "forget",
    everyday: true,
    who: "members",
    inGroups: true,
    beginsTurn: (rest) => /^(?:all|全部|一切|すべて|全て)$/i.test(rest.trim()),
    answer: ({ forget }, call) => forget(call),
  },
  { names: ["quiet"], words: "quiet", who: "members", answer: ({ quiet }, call) => quiet(call) },
  { names: ["busy"], words: "busy", who: "members", inGroups: true, answer: ({ busy }, call) => busy(call) },
  {
    names: ["missed"],
    words: "missed",
    who: "members",
    inGroups: true,
    beginsTurn: () => true,
    answer: ({ missed }, call) => missed(call),
  },
  {
    names: ["lang"],
    words: "lang",
    everyday: true,
    who: "members",
    inGroups: true,
    answer: ({ lang }, call) => lang(call),
  },
  { names: ["model"], words: "model", who: "members", inGroups: true, answer: ({ model }, call) => model(call) },
  {
    names: ["persona"],
    words: "persona",
    who: "members",
    inGroups: true,
    answer: ({ persona }, call) => persona(call),
  },
  {
    names: ["export"],
    words: "export",
    who: "members",
    inGroups: true,
    answer: ({ exportConversation }, call) => exportConversation(call),
  },
  { names: ["plan"], words: "plan", who: "members", inGroups: true, answer: ({ plan }, call) => plan(call) },
  { names: ["act"], words: "act", who: "members", inGroups: true, answer: ({ act }, call) => act(call) },
  {
    names: ["worldline"],
    words: "worldline",
    who: "members",
    inGroups: true,
    answer: ({ worldline }, call) => worldline(call),
  },
  {
    names: ["dmail"],
    words: "dmail",
    who: "members",
    inGroups: true,
    beginsTurn: () => true,
    answer: ({ dmail }, call) => dmail(call),
  },
  { names: ["grants"], words: "grants", who: "members", answer: ({ grants }, call) => grants(call) },
  { names: ["revoke"], words: "revoke", who: "members", answer: ({ revoke }, call) => revoke(call) },
  {
    names: ["preferences", "preference"],
    words: "preferences",
    everyday: true,
    who: "members",
    answer: ({ preferences }, call) => preferences(call),
  },
  { names: ["usage"], words: "usage", who: "members", whilePaused: true, answer: ({ usage }, call) => usage(call) },
  {
    names: ["proof"],
    words: "proof",
    who: "everybody",
    whilePaused: true,
    inGroups: true,
    answer: ({ proof }, call) => proof(call),
  },
  {
    names: ["mcp"],
    words: "mcp",
    who: "members",
    beginsTurn: (rest) => /^(?:read|prompt)\b/.test(rest),
    answer: ({ mcp }, call) => mcp(call),
  },
  {
    names: ["pair"],
    words: "pair",
    who: "owners",
    whilePaused: true,
    withoutMention: ({ role }) => role === "owner",
    answer: ({ pair }, call) => pair(call),
  },
  {
    names: ["link"],
    words: "link",
    who: "everybody",
    whilePaused: true,
    // A code that was read by everybody must be used up, and is nothing for the model.
    withoutMention: ({ rest }) => readLinkCode(`/link ${rest}`) !== undefined,
    answer: ({ link }, call) => link(call),
  },
  {
    names: ["unlink"],
    words: "unlink",
    who: "everybody",
    whilePaused: true,
    answer: ({ unlink }, call) => unlink(call),
  },
  {
    names: ["whoami"],
    words: "whoami",
    who: "everybody",
    whilePaused: true,
    inGroups: true,
    answer: ({ whoAmI }, call) => whoAmI(call),
  },
  { names: ["trust"], words: "trust", who: "owners", answer: ({ trust }, call) => trust(call) },
  {
    names: ["requests"],
    words: "requests",
    who: "owners",
    answer: ({ requests }, call) => requests(call),
  },
  { names: ["untrust"], words: "untrust", who: "owners", answer: ({ untrust }, call) => untrust(call) },
  { names: ["resume"], words: "resume", who: "owners", whilePaused: true, answer: ({ resume }, call) => resume(call) },
];

export function findCommand(name: string): ChatCommand | undefined {
  return chatCommands.find(({ names }) => names.includes(name));
}

/** `/stop now` → name and rest; undefined = no command. Approval words such as /confirm are read before. */
export function readCommand(text: string): { readonly name: string; readonly rest: string } | undefined {
  const match = /^\/([a-z][a-z0-9_]{0,31})(?:\s+([\s\S]*))?$/i.exec(text.trim());
  return match?.[1] === undefined ? undefined : { name: match[1].toLowerCase(), rest: (match[2] ?? "").trim() };
}

function mayUse({ who }: ChatCommand, role: Role): boolean {
  return who === "everybody" || role === "owner" || (who === "members" && role !== "guest");
}

export type RunCommand = (name: string, call: CommandCall) => Promise<CommandAnswer | undefined>;

export function createRunCommand(handlers: CommandHandlers): RunCommand {
  return async (name, call) => {
    const { language, person, words } = call;
    const command = findCommand(name);
    // A guest does not learn which commands there are.
    if (command === undefined && person.role !== "guest") return { text: words.command.unknown(`/${name}`) };
    if (command === undefined || !mayUse(command, person.role))
      return tellAs("denied", language, words.access.ownerOnly);
    return command.answer(handlers, call);
  };
}

/** The commands that a person may use; `everyday` narrows them. */
function describeCommands({ person, rest, words }: CommandCall): string {
  const { command, commandMenu } = words;
  const isAll = /^(?:all|全部|すべて)$/i.test(rest);
  const rows = chatCommands.filter((row) => mayUse(row, person.role) && (isAll || row.everyday));
  const entries = rows.flatMap((row) => (row.words === undefined ? [] : [commandMenu[row.words]]));
  const lines = entries.flatMap((entry) => ("help" in entry ? [entry.help] : []));
  return [command.helpIntro, "", ...lines, ...(isAll ? [] : [command.helpAll]), "", command.helpOutro].join("\n");
}

const languages = ["zh", "en", "ja"] as const satisfies readonly Language[];

/** The chat commands in every language, and in the installation's own for everybody else. */
export function listCommandMenus(fallback: Language): readonly CommandMenu[] {
  const describe = (language: Language) => {
    const { commandMenu } = wordsFor(language);
    return chatCommands.flatMap(({ names: [command], words, inGroups }) =>
      words === undefined ? [] : [{ command, description: commandMenu[words].menu, privateOnly: inGroups !== true }],
    );
  };
  return [
    { commands: describe(fallback) },
    ...languages.map((language) => ({ languageCode: language, commands: describe(language) })),
  ];
}
