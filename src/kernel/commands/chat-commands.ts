import type { ChatCommand, CommandInfo } from "./command-info.ts";

/** A command of the kernel. */
export interface CommandRow extends CommandInfo {
  readonly handler: keyof CommandHandlers | "help";
}

/** The handler of each kernel command; the table itself handles /help. */
export type CommandHandlers = Readonly<
  Record<
    | "act"
    | "busy"
    | "grants"
    | "greet"
    | "lang"
    | "model"
    | "pair"
    | "persona"
    | "plan"
    | "resume"
    | "revoke"
    | "showStatus"
    | "showTodoList"
    | "startOver"
    | "stop"
    | "trust"
    | "undo"
    | "untrust",
    ChatCommand["answer"]
  >
>;

/**
 * In listing order, before the commands of features. Commands never wait for the lane, because /stop must reach a stuck
 * turn.
 */
export const chatCommands: readonly CommandRow[] = [
  { names: ["start"], who: "everybody", whilePaused: true, handler: "greet" },
  {
    names: ["help", "帮助"],
    words: "help",
    who: "everybody",
    whilePaused: true,
    inGroups: true,
    handler: "help",
  },
  {
    names: ["status", "状态"],
    words: "status",
    everyday: true,
    who: "everybody",
    whilePaused: true,
    inGroups: true,
    handler: "showStatus",
  },
  {
    names: ["stop"],
    words: "stop",
    everyday: true,
    who: "members",
    whilePaused: true,
    inGroups: true,
    handler: "stop",
  },
  {
    names: ["new", "reset"],
    words: "new",
    everyday: true,
    who: "members",
    inGroups: true,
    handler: "startOver",
  },
  { names: ["undo"], words: "undo", everyday: true, who: "members", handler: "undo" },
  {
    names: ["todo"],
    words: "todo",
    who: "members",
    inGroups: true,
    handler: "showTodoList",
  },
  { names: ["busy"], words: "busy", who: "members", inGroups: true, handler: "busy" },
  {
    names: ["lang"],
    words: "lang",
    everyday: true,
    who: "members",
    inGroups: true,
    handler: "lang",
  },
  { names: ["model"], words: "model", who: "members", inGroups: true, handler: "model" },
  {
    names: ["persona", "人格"],
    words: "persona",
    who: "members",
    inGroups: true,
    handler: "persona",
  },
  { names: ["plan"], words: "plan", who: "members", inGroups: true, handler: "plan" },
  { names: ["act"], words: "act", who: "members", inGroups: true, handler: "act" },
  { names: ["grants"], words: "grants", who: "members", handler: "grants" },
  { names: ["revoke"], words: "revoke", who: "members", handler: "revoke" },
];

/** Listed last: access, and owner commands. */
export const accessCommands: readonly CommandRow[] = [
  {
    names: ["pair"],
    words: "pair",
    who: "owners",
    whilePaused: true,
    withoutMention: ({ role }) => role === "owner",
    handler: "pair",
  },
  { names: ["trust"], words: "trust", who: "owners", handler: "trust" },
  { names: ["untrust"], words: "untrust", who: "owners", handler: "untrust" },
  { names: ["resume"], words: "resume", who: "owners", whilePaused: true, handler: "resume" },
];
