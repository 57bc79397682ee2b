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
  skills: {
    menu: "Skills: which there are, on and off",
    help: "/skills  list the skills, switch them on or off in this chat",
  },
  reminders: {
    menu: "reminders that wait",
    help: "/reminders  the reminders that wait; cancel NUMBER, zone NAME for the clock they follow",
  },
  remind: {
    menu: "set a reminder: tomorrow at 8am stand-up",
    help: "/remind  set a reminder: /remind tomorrow at 8am stand-up",
  },
  memory: {
    menu: "What I remember of you",
    help: "/memory  what I remember of you; why NUMBER, search WORDS, pin NUMBER",
  },
  remember: {
    menu: "Have me remember something: I like cats",
    help: "/remember  have me remember something: /remember I am allergic to peanuts",
  },
  forget: {
    menu: "Have me forget: a number, some words, all",
    help: "/forget  have me forget: /forget NUMBER, or some words; all is everything about you",
  },
  quiet: {
    menu: "Quiet hours: what repeats waits until they end",
    help: "/quiet   quiet hours: /quiet 23:00-07:00, or /quiet off",
  },
  busy: {
    menu: "What becomes of words while I am busy",
    help: "/busy    words while I am busy: queue, steer (enter the work) or interrupt",
  },
  missed: {
    menu: "What I missed in this group",
    help: "/missed  what was said in this group since you last spoke; /missed 3: in the last 3 hours",
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
  export: {
    menu: "this conversation as a file",
    help: "/export  this conversation as a file (/export json); in groups for owners and group administrators; /export me: everything kept of you",
  },
  plan: {
    menu: "Plan mode: look, but do not touch",
    help: "/plan    plan mode: look only (/plan FOLDER: change only there)",
  },
  act: { menu: "Leave plan mode", help: "/act     end plan mode" },
  grants: { menu: "Permissions that stand", help: "/grants  the permissions that stand; /revoke CODE takes one back" },
  revoke: { menu: "Take a permission back" },
  preferences: {
    menu: "What I noted of your habits",
    help: "/preferences  what I noted of how you like things (add, edit NUMBER, forget NUMBER)",
  },
  usage: { menu: "How much was used today", help: "/usage   what was used today" },
  proof: { menu: "What the last answer rests on", help: "/proof   what stands behind the last answer" },
  mcp: { menu: "MCP servers", help: "/mcp     MCP servers: state, tools, resources and prompts" },
  pair: { menu: "Let somebody in by their code", help: "/pair    let somebody in by their code" },
  link: {
    menu: "Link another account of yours",
    help: "/link   link another account of yours; /unlink undoes it, /whoami shows who you are to me",
  },
  unlink: { menu: "Unlink an account" },
  whoami: { menu: "Who you are to me" },
  trust: { menu: "Trust somebody (owners)", help: "/trust   trust somebody (owners), /untrust takes it back" },
  requests: {
    menu: "Friend and group requests (owners)",
    help: "/requests  friend and group requests that wait (owners)",
  },
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
