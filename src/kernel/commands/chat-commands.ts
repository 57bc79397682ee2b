import type { CommandAnswer, CommandCall } from "./command-call.ts";
import type { CommandHandlers } from "./command-handlers.ts";
import type { CommandInfo } from "./command-info.ts";

/** A command of the kernel. */
export interface CommandRow extends CommandInfo {
  /** undefined = it has answered by itself, and its row is done or in the lane. */
  readonly answer: (
    handlers: CommandHandlers,
    call: CommandCall,
    /** Lists every command, those of features too. */
    help: (call: CommandCall) => CommandAnswer,
  ) => CommandAnswer | undefined | Promise<CommandAnswer | undefined>;
}

/** In the order in which they are listed; those of features come after them. They never wait for the lane: /stop must reach a stuck turn. */
export const chatCommands: readonly CommandRow[] = [
  { names: ["start"], who: "everybody", whilePaused: true, answer: ({ greet }, call) => greet(call) },
  {
    names: ["help"],
    words: "help",
    who: "everybody",
    whilePaused: true,
    inGroups: true,
    answer: (_, call, help) => help(call),
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
  { names: ["busy"], words: "busy", who: "members", inGroups: true, answer: ({ busy }, call) => busy(call) },
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
  { names: ["plan"], words: "plan", who: "members", inGroups: true, answer: ({ plan }, call) => plan(call) },
  { names: ["act"], words: "act", who: "members", inGroups: true, answer: ({ act }, call) => act(call) },
  { names: ["grants"], words: "grants", who: "members", answer: ({ grants }, call) => grants(call) },
  { names: ["revoke"], words: "revoke", who: "members", answer: ({ revoke }, call) => revoke(call) },
];

/** Listed last: who may talk, and what only owners do. */
export const accessCommands: readonly CommandRow[] = [
  {
    names: ["pair"],
    words: "pair",
    who: "owners",
    whilePaused: true,
    withoutMention: ({ role }) => role === "owner",
    answer: ({ pair }, call) => pair(call),
  },
  { names: ["trust"], words: "trust", who: "owners", answer: ({ trust }, call) => trust(call) },
  { names: ["untrust"], words: "untrust", who: "owners", answer: ({ untrust }, call) => untrust(call) },
  { names: ["resume"], words: "resume", who: "owners", whilePaused: true, answer: ({ resume }, call) => resume(call) },
];
