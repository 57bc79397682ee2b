import { countOf } from "../count-of.ts";
import type { Words } from "../dictionary.ts";
import { kurisuCommand } from "../../kurisu-command.ts";

export const approval: Words["approval"] = {
  whyGoesOn: (length) => `The command goes on after the answer, for ${length.term} at most; /stop ends it.`,
  whyRead: "Something from outside was read in this turn, so I need your own word for it.",
  whyGrantRests: ({ code }) =>
    `Permission ${code} does not count this time: something from outside was read (pictures and files are, too), so I ask.`,
  whyAddress: ({ hosts }) =>
    `Nobody told me to go to ${hosts.join(", ")}, and words from outside stand beside yours (what MCP servers say of themselves, for one), so I ask first.`,
  whyNetwork: ({ hosts }) => `It would connect to ${hosts.join(", ")}, so I ask first.`,
  askedIn: ({ asker, chat }) => `${asker} wants it, in ${chat}.`,
  validUntil: ({ code, term, time }) => `Number ${code}, good for ${term} (until ${time}).`,
  howToChoose: ({ last }) =>
    `"confirm 1${last > 2 ? " 3" : ""}" does only ${last > 2 ? "those" : "that one"}; "cancel ${last}" drops that one, and the rest is asked again`,
  howToChange: '"change to ..." for another way',
  changeWhich: (codes) =>
    `${countOf(codes.length, "thing waits", "things wait")}: ${codes.join(", ")}. Put the number of the one to change first, such as "${codes[0] ?? ""} change to ...".`,
  changeDropped: ({ code, what }) =>
    `${code} (${what}) is dropped; it did not run. To have it another way, say the whole thing once more and I ask again.`,
  and: " and ",
  howToStand: ({ pattern }) => `"confirm 30 min" or "confirm this task": no more asking for ${pattern} that long`,
  folderPattern: ({ tool, folder }) => `${tool} in ${folder === "" ? "the top of the workspace" : `${folder}/`}`,
  exactPattern: ({ tool }) => `${tool} with exactly these arguments`,
  needsVotes: ({ needed }) => `It takes ${needed} people to confirm; one no ends it.`,
  approvers: ({ names }) => `To be confirmed by: ${names}.`,
  atConsole: "the console",
  roleOwner: "an owner",
  roleTrusted: "a trusted person",
  askerHasNoSay: "The one who asked has no say of their own.",
  voteButton: ({ count, needed }) => `Confirm ${count}/${needed}`,
  voted: ({ code, count, needed }) => `${code}: ${count} of ${needed} have confirmed, ${needed - count} to go.`,
  votedAlready: ({ code, count, needed }) =>
    `You have confirmed ${code} already; each person counts once. It is ${count}/${needed} now.`,
  waitsForOwner: ({ code, term, calls }) =>
    `An owner has to agree to this, and I have asked: ${calls}. Number ${code}, good for ${term}. If you no longer want it, say "cancel ${code}".`,
  noOwnerChat: ({ code, term, calls }) =>
    `An owner has to agree to this, but no owner has ever written to me in private: ${calls}. An owner can run ${kurisuCommand} approvals approve ${code} within ${term}, or write to me once; then say "again".`,
  ownerApproved: ({ code, name }) => `${code}: ${name} agreed.`,
  ownerRejected: ({ code, name }) => `${code}: ${name} did not agree; it did not run.`,
  heardForElsewhere: (code) => `${code}: understood. The result is told over there.`,
  needsOwner: "It needs an owner's yes.",
  notApprover: "This is not yours to confirm.",
  waitsElsewhere: (code) =>
    `${code} waits for an owner and cannot be confirmed here. If you no longer want it, say "cancel ${code}".`,
  noSuchNumber: ({ number, last }) =>
    last === 1
      ? `Only one thing was asked; there is no number ${number}.`
      : `There is no number ${number}, only 1 to ${last}.`,
  wholeOnly: "Several people decide this together, so it is confirmed or cancelled as a whole.",
  noGrant: "There can be no standing permission for this; it is confirmed each time.",
  grantTime: "A permission lasts from 1 minute to 24 hours.",
  granted: ({ code, pattern, until }) =>
    `${code}: ${until} I will not ask for ${pattern}. /grants shows it, /revoke ${code} takes it back.`,
  untilTime: (time) => `until ${time}`,
  untilTaskEnds: "until this is done",
  grantsHeading: (count) => (count === 1 ? "1 permission stands:" : `${count} permissions stand:`),
  grantItem: ({ code, pattern, until, name, count }) =>
    `${code}  ${pattern} (${name}, ${until}, used ${countOf(count, "time")})`,
  grantsNone: "No permission stands; everything is asked for each time.",
  grantsHowToRevoke: (code) => `To take one back: /revoke ${code}`,
  grantRevoked: (code) => `${code} is taken back; I will ask again.`,
  grantUnknown: (code) => `There is no permission ${code}, or it is over. /grants lists them.`,
  grantNotYours: "That permission is not yours to take back.",
  statusGrants: (count) => `${count} standing permissions; see /grants.`,
  statusVotes: ({ count, needed }) => ` (${count} of ${needed} have confirmed)`,
  statusAtOwner: " (waits for an owner)",
  partApproved: (numbers) => `✓ Confirmed only ${numbers}`,
  partRejected: (numbers) => `✗ Cancelled ${numbers}, the rest is asked anew`,
  changed: "✎ Wanted another way; this did not run",
};

export const sources: Words["sources"] = {
  messageOf: ({ name }) => `what ${name} wrote`,
  forwarded: "a forwarded message",
  quoted: "a quoted message",
  chatLog: "the chat log",
  webSearch: "what a web search found",
  workspace: "files in the workspace",
  skill: ({ name }) => `the skill "${name}"`,
  earlier: "the conversation before",
};

export const nearYes: Words["decision"]["nearYes"] = {
  one: (code) => `${code} still waits. To run it, reply "confirm".`,
  oneOf: (code) => `${code} still waits. To run it, reply "confirm ${code}".`,
  several: (codes) =>
    `${codes.join(", ")} still wait. To run one of them, reply with its number, like "confirm ${codes[0] ?? ""}".`,
};

export const nearNo: Words["decision"]["nearNo"] = {
  one: (code) => `${code} still waits and has not run. To drop it, reply "cancel".`,
  oneOf: (code) => `${code} still waits and has not run. To drop it, reply "cancel ${code}".`,
  several: (codes) =>
    `${codes.join(", ")} still wait and have not run. To drop one, reply with its number, like "cancel ${codes[0] ?? ""}"; each takes its own. /stop ends what runs in this chat and drops every open question about what you asked for here (from an owner: about what anybody did).`,
};
