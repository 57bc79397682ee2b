import type { Words } from "../dictionary.ts";

export const commandMenu: Words["commandMenu"] = {
  help: { menu: "How it works, and the commands", help: "/help    this text" },
  status: {
    menu: "What is going on, and what waits for you",
    help: "/status  what is going on, and what waits for your answer",
  },
  stop: { menu: "Stop what is at work", help: "/stop    stop what is running; open questions become void" },
  new: {
    menu: "Put the conversation aside and start anew",
    help: "/new     put the conversation aside and start afresh",
  },
  undo: {
    menu: "Bring back the file that was just deleted",
    help: "/undo    bring back the file deleted last, or /undo ID",
  },
  todo: { menu: "The to-do list", help: "/todo    the to-do list" },
  busy: {
    menu: "What becomes of words while I am busy",
    help: "/busy    words while I am busy: queue, steer (enter the work) or interrupt",
  },
  lang: { menu: "language: zh, en, ja, auto", help: "/lang    the language here (zh, en, ja; auto follows you)" },
  model: {
    menu: "which model is asked first here",
    help: "/model   the models and which one answers here; owners choose by name",
  },
  persona: {
    menu: "who speaks here",
    help: "/persona which personas there are and who speaks here; a name chooses, why explains",
  },
  plan: {
    menu: "Plan mode: look, but do not touch",
    help: "/plan    plan mode: look only (/plan FOLDER: change only there)",
  },
  act: { menu: "Leave plan mode", help: "/act     end plan mode" },
  grants: { menu: "Permissions that stand", help: "/grants  the permissions that stand; /revoke CODE takes one back" },
  revoke: { menu: "Take a permission back" },
  pair: { menu: "Let somebody in by their code", help: "/pair    let somebody in by their code" },
  trust: { menu: "Trust somebody (owners)", help: "/trust   trust somebody (owners), /untrust takes it back" },
  untrust: { menu: "Take trust back (owners)" },
  resume: {
    menu: "Go on after everything was stopped (owners)",
    help: "/stop all  owners: stop everything for everybody (/resume goes on)",
  },
};

export const welcome: Words["welcome"] = {
  how: 'Just say what you want. Before I do anything with consequences I show you exactly what it is; it happens when you reply "confirm" (「确认」), and "cancel" (「取消」) drops it.',
  tryOne: "Not sure what to say? Try one of these:",
  helpLine: "/help has the everyday commands.",
  examples: { clock: "What time is it?", files: "List the files in the workspace", command: "run uname -a" },
};
