import type { PeopleWords } from "./zh.ts";

export const people: PeopleWords = {
  title: "Who may talk to her",
  roles: { owner: "owner", trusted: "trusted", member: "member", guest: "without a role" },
  since: (at) => `since ${at}`,
  from: {
    stored: (role, at) => `${role}, let in ${at}`,
    configured: (role, place) => `${role}, by ${place}`,
  },
  linked: "linked account",
  linkedInGroup: "linked in a group: shares no role and nothing private",
  unlink: "Unlink",
  unlinked: (account) => `${account} is unlinked. Each account has its own role again.`,
  notLinked: "It is linked with no other account any more.",
  trust: "Trust",
  untrust: "Take trust back",
  remove: "Remove…",
  sure: (name, accounts) =>
    accounts > 1
      ? `Remove ${name} with all ${accounts} accounts? She stops answering, and calls that wait do not run.`
      : `Remove ${name}? She stops answering, and calls that wait do not run.`,
  yes: "Remove",
  no: "Never mind",
  now: (name, role) => `${name} is now ${role}.`,
  out: (name) => `${name} is removed.`,
  still: (name, role) => `${name} is still ${role}: config/system/channels.yaml says so.`,
  isOwner: "Owners are named on her machine and cannot be changed here.",
  byFile: "The configuration gives this role. Change it in config/system/channels.yaml.",
  gone: "This person has no role any more.",
  failed: "That did not work. Try again.",
  none: "Nobody yet. People get a code for their first message to her, and then appear here.",
  ownersHow: "Owners are named on the machine: KURISU_OWNERS, or the code of the start screen.",
  groups: "Open groups",
  byPair: "an owner said /pair there",
  byConfiguration: "in config/system/channels.yaml",
  noGroups: "No group is open. When an owner mentions her in a group with /pair, she talks there.",
  configuration: "Rules of the configuration",
  where: "These are in config/system/channels.yaml. Change them there.",
  everybody: (platform) => `${platform}: everybody is a member`,
  everyGroup: (platform) => `${platform}: every group is open`,
  admins: (platform, role) => `${platform}: administrators of a group are ${role} there`,
};
