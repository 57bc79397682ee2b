import { describeDuration } from "./describe-duration.ts";
import { countOf } from "./count-of.ts";
import type { Words } from "./dictionary.ts";
import { busy, choices } from "./en/choices.ts";
import { approval, nearNo, nearYes, sources } from "./en/approval.ts";
import { commandMenu, welcome } from "./en/command-menu.ts";
import { times } from "./en/times.ts";
import { toolNames } from "./en/tool-names.ts";
import { cli, editor } from "./en/cli.ts";
import { start } from "./en/start.ts";
import { setup } from "./en/setup.ts";
import { control, outage, trust } from "./en/control.ts";
import { kurisuCommand } from "../kurisu-command.ts";

/**
 * The gateway's fixed texts in English. The words that people can type come first: confirm and cancel, along with 「确认」
 * and 「取消」.
 */
export const en = {
  duration: (milliseconds) => describeDuration(milliseconds, "en"),
  question: {
    heading: (count) => (count === 1 ? "This is what would be done:" : `These ${count} things would be done:`),
    placeSandbox: (limits) =>
      `In the sandbox container, ${limits.network ? "network to the hosts below only" : "no network"}, read-only system, ${countOf(limits.seconds, "second")} at most`,
    canReach: (reach) =>
      `${reach.calls > 1 ? "These commands" : "This command"} can reach: ${reach.hosts.join(", ")}. What is in the workspace can be sent there as well.`,
    placeWorkspace: "Only inside this session's own workspace",
    placeNetwork: "This reaches out to the network",
    placeGateway: "Done by me directly, outside the sandbox",
    askedByAgent: (agent) => `It is ${agent}, whom I sent off, who wants to do this.`,
    afterReading: ({ sources, more }) =>
      `I just read ${sources.join(", ")}${more > 0 ? ` and ${more} more` : ""}, so I need to hear it from you.`,
    afterEarlier: ({ sources, more }) =>
      `Earlier in this conversation I read ${sources.join(", ")}${more > 0 ? ` and ${more} more` : ""}, so I need to hear it from you.`,
    waysToAnswer: (ways) => `${ways.join("; ")}.`,
    howToAnswer: 'Reply "confirm" (「确认」) to run it, "cancel" (「取消」) to drop it',
    howToAnswerInGroup: (who) =>
      `${who.asker}, reply to this message with "confirm" (「确认」) or "cancel" (「取消」), or send "confirm ${who.code}" or "cancel ${who.code}"`,
    approveButton: "Confirm",
    rejectButton: "Cancel",
    previewButton: "Preview",
    howToPreview: '"preview" tries it on a copy first',
    waitingNote: (what) =>
      `Already asked, code ${what.code}, waiting for the answer: ${what.calls}. Do not start it again and do not treat it as done.`,
  },
  outcome: {
    approved: "✓ Confirmed",
    rejected: "✗ Cancelled",
    expired: "⌛ Expired, not run",
    voided: "⊘ Void, not run",
  },
  decision: {
    expiredNotice: ({ code, what }) =>
      `${code} (${what}) has expired and was not run. Say "again" if you still want it.`,
    lateForExpired: (code) => `${code} has already expired; there is nothing to confirm.`,
    lateForApproved: (code) => `${code} was confirmed before; it will not run a second time.`,
    lateForRejected: (code) => `${code} was cancelled and did not run.`,
    lateForVoided: (code) => `${code} is void and did not run.`,
    noneOpen: "Nothing is waiting for your answer.",
    severalOpen: ({ codes, example }) =>
      `${countOf(codes.length, "thing is", "things are")} waiting: ${codes.join(", ")}. Name the one you mean, like "${example}".`,
    codeNeeded: ({ example }) =>
      `Something else just ended, so I want to be sure. If you mean this one, reply "${example}" or quote its message.`,
    nearYes,
    nearNo,
    noForApproved: (code) =>
      `${code} was confirmed before; it is too late to cancel it. If it is still running, /stop ends it.`,
    alreadyExpired: (code) => `${code} has already expired and did not run.`,
    unknownCode: (code) => `Nothing with the code ${code} is waiting for an answer.`,
    notSentYet: ({ code, example }) =>
      `That was said before ${code} was sent and does not count. Look at what it would do first, then reply "${example}", or quote its message.`,
    notYours: (asker) => `${asker} asked for this, so ${asker} has to answer.`,
    notAllowed: "You may not confirm this kind of thing. Ask an owner.",
    wrongChat: "That was not asked in this chat",
    quoteThePrompt: "The message you quoted is not the question. Quote that one, or add its code.",
    editedIgnored: "An edited message does not count as an answer. Send a new one.",
    forwardedIgnored: "A forwarded message does not count as an answer. Write one yourself.",
    captionIgnored: "A caption does not count as an answer. Send it as a text of its own.",
    voiceIgnored: "A voice message is no answer. Please type it.",
    policyChanged: (code) =>
      `The permissions or the settings of the tool have changed, so ${code} is void and did not run. Tell me again if you still need it.`,
    cancelledByStop: (codes) => `${codes.join(", ")} ${codes.length === 1 ? "is" : "are"} void too and did not run.`,
    takenBack: (code) => `${code} was stopped before it was acted on. Nothing ran.`,
    stillWaiting: (question) =>
      `I was just restarted. ${question.code} is still waiting for your answer, ${question.term} left.`,
    decidedToast: "Got it",
  },
  display: {
    more: (count) => `${count} more ${count === 1 ? "result is" : "results are"} not shown.`,
    left: (count) => `${count} more ${count === 1 ? "line is" : "lines are"} not shown.`,
  },
  previews: {
    cannotPreview: (code) => `${code} is a question of a server; there is nothing to try out.`,
    startedToast: "Trying it out on a copy",
    started: (code) => `All right, ${code} is tried out on a copy of the workspace first.`,
    running: (code) => `The preview of ${code} is not done yet. One moment.`,
    unsupported: (what) =>
      `${what.code} cannot be previewed: ${what.calls} does more than change files of the workspace.`,
    outdated: (code) =>
      `The preview of ${code} was of an earlier workspace; it has changed since (or that cannot be told), so what happens may differ.`,
  },
  turn: {
    stopped: "All right, stopped.",
    unfinished: "(Stopped here, unfinished.)",
    droppedBehind: (count) => `What waited behind it is dropped, too (${count}).`,
    nothingToStop: "Nothing is running right now.",
    newConversation: "All right, a fresh start. What we talked about is put aside; what I remember stays.",
    continueOffer: 'That is as far as I got; it is not finished. Say "continue" and I will go on.',
    putAside: (id) =>
      `This one crashes me every time I touch it, so I have put it aside and will not try it again. Say it another way. Number ${id}; an owner sees why with ${kurisuCommand} audit show ${id}.`,
    failed: (id) =>
      `That did not work, and the fault is on my side. Id ${id}; an owner can look it up with ${kurisuCommand} audit show ${id}.`,
    unknownOutcome: (call) =>
      `I was cut off for a moment. ${call} may have run or may not; I did not run it again. Shall I look at the result?`,
  },
  todo: {
    empty: "Nothing on the to-do list.",
    heading: (sum) => `To do, ${sum.done} of ${sum.all} done:`,
  },
  mode: {
    plan: "Plan mode: I look and change nothing, and bring you a plan. Say /act when I should do it.",
    planWithin: (paths: readonly string[]) =>
      `Plan mode: I may change files in ${paths.join(", ")} and only look at the rest. /act ends it.`,
    act: "Plan mode is off. What needs your yes still needs it.",
    wrongPath: (path: string) => `"${path}" is no path of the workspace. Usage: /plan, or /plan notes drafts.`,
    status: (paths: readonly string[]) =>
      paths.length === 0
        ? "Plan mode: looking only (/act ends it)"
        : `Plan mode: only ${paths.join(", ")} may change (/act ends it)`,
  },
  message: {
    empty: "That message is empty.",
    tooLong: (size) =>
      `That is ${countOf(size.length, "character")}; ${size.limit} is the most. Split it, or send it as a file.`,
    wholeInFile: "(Too long for here. All of it is in the file below.)",
    moreWaits: "(There is more. Say anything, and I go on.)",
    attachmentOnly: (what) =>
      `I got it (${what}), but I cannot read that kind of thing. Tell me in words what you need.`,
  },
  busy,
  attachment: {
    kinds: {
      file: "file",
      image: "picture",
      voice: "voice message",
      audio: "audio",
      video: "video",
      animation: "animation",
      sticker: "sticker",
      contact: "contact",
      location: "location",
      poll: "poll",
      dice: "dice",
      card: "card",
      forward: "forwarded conversation",
      share: "shared link",
      music: "music",
      other: "something else",
    },
    seconds: (length) => `${length.seconds} s`,
    saved: (file) => `saved in the workspace as ${file.path} (${file.type}, ${file.size})`,
    lost: (what) => `could not be fetched: ${what.why}`,
    tooLarge: (size) => `larger than ${size.limit}`,
    tooMany: (most) =>
      `no more than ${countOf(most.count, "file of one message is", "files of one message are")} taken`,
    shareFull: (size) =>
      `their share of this group's disk, ${size.limit}, is full; something of theirs has to be deleted first`,
    guest: "guests' files are not kept in a group; an owner has to let them in first",
    workspaceFull: "the workspace is full; something has to be deleted first",
    unavailable: "the platform gives no way to fetch it",
    stopped: "it was stopped",
  },
  file: {
    delivered: (file) => `File ${file.name}: ${file.path}`,
  },
  access: {
    noOwner: "I have no owner yet. If you set me up, send me the pairing code of the start screen here, in private.",
    strangerHint: (code) => `I do not know you yet. Ask an owner to approve this pairing code: ${code}`,
    ownerWelcome: (name) => `Paired, ${name}. You are an owner from now on. Send /help to see what I can do.`,
    memberWelcome: (name) => `${name}, an owner let you in. Send /help to see what I can do.`,
    wrongCode: "That pairing code is wrong or has expired.",
    personApproved: (name) => `Done, ${name} may talk to me now.`,
    groupOff: "This group is not switched on. Send /pair to switch it on.",
    chatGone: ({ chat, reason }) =>
      `I cannot speak in ${chat} any more (${reason}). What had not arrived there ends here. Add me again, or unblock me, and I am back.`,
    givenUp: ({ session, reason }) =>
      `A message for ${session} could not be sent for too long, so I gave it up (${reason}). I say this once a day.`,
    filesStay:
      "The files of this chat are larger than what I carry to my other machines (64 MiB, 10,000 files), so from now on they stay on one of them. Delete what is not needed, and I carry them again.",
    chatsGone: "I lost too many chats within this hour; I do not name the others one by one.",
    groupOn:
      "This group is switched on. Mention me or reply to me and I answer. Commands need the mention, too: @me /status.",
    ownerOnly: "Only an owner can use that command.",
    pairUsage: "Usage: /pair CODE",
  },
  command: {
    helpIntro:
      'Just talk to me. Before anything risky I show you exactly what it is; it runs when you reply "confirm" (「确认」), and "cancel" (「取消」) drops it.',
    helpAll: "/help all  every command",
    helpOutro:
      'Not sure? Say "preview", and it is tried out on a copy first. Say "continue" when I stopped halfway, "again" for something that expired.',
    unknown: (name) => `There is no command ${name}; /help all lists them.`,
    undone: (path) => `It is back: ${path}`,
    trashEmpty: "The trash is empty.",
    trashHas: (items) => `There is nothing with that id. The trash has:\n${items.slice(0, 10).join("\n")}`,
    undoOccupied: (path) => `There is something at ${path} again; rename or delete it first.`,
    undoFailed: (reason) => `That could not be brought back. ${reason}`,
    statusModel: (model) => `Model: ${model}`,
    statusSandbox: (state) => `Sandbox: ${state}`,
    statusBusy: "Busy with the previous message.",
    statusIdle: "Idle.",
    statusTasksHeading: (count) => `Sent off and at work: ${count}.`,
    statusTask: (task) =>
      `${task.agent}: ${task.what}${task.background ? " (in the background)" : ""}${task.code === undefined ? "" : ` (waits for an answer to ${task.code})`}`,
    statusNoneOpen: "Nothing is waiting for your answer.",
    statusOpenHeading: (count) =>
      count === 1 ? "One thing waits for your answer:" : `${count} things wait for your answer:`,
    statusOpenItem: (item) => `${item.code}  ${item.summary} (${item.term} left)`,
  },
  cli,
  start,
  /** To people who talk by another program. */
  program: {
    goesOn:
      "I am still at it, but the time of this request is over. Send any message later, and the result comes first.",
    noAnswer: "There is no answer to this: it was stopped, everything is paused, or too much was said in one minute.",
  },
  payload: {
    whole: (size) =>
      `(All of it follows: ${countOf(size.lines, "line")}, ${countOf(size.total, "character")}, SHA-256 ${size.digest}; a line that begins with ┆ goes on with the one before)`,
    cut: (part) =>
      `(${countOf(part.omitted, "character")} left out here, ${part.total} in all, SHA-256 ${part.digest})`,
    hiddenCharacters: "It contains invisible characters; they are marked as ⟨U+…⟩.",
  },
  approval,
  choices,
  commandMenu,
  editor,
  toolNames,
  /** A mention that a group refused. */
  refusedMention: {
    here: (text: string) => `This was meant for the group, which refused it, so I say it here:\n${text}`,
    toOwners: ({ who, text, reason }: { readonly who: string; readonly text: string; readonly reason: string }) =>
      `What I had to tell ${who} was refused (${reason}). Please pass it on:\n${text}`,
  },
  /** Above memories of the same words when one is forgotten. */
  stillRemembered: "Still remembered, in some of the same words:",
  times,
  outage,
  control,
  sources,
  trust,
  /** Too much was written while she was away. */
  missed: {
    there: (chat) =>
      `While I was away too much was written in ${chat}. I read the last 250 messages or so, and missed what came before.`,
    here: "While I was away too much was written here. I read the last 250 messages or so, and missed what came before. If something mattered, say it again.",
  },
  setup,
  welcome,
} satisfies Words;
