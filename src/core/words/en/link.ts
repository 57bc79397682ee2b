/** Answers to /link, /unlink and /whoami. */
export const link = {
  notHere: "Accounts cannot be linked here. Say it in a chat app.",
  privateOnly:
    "Link accounts in our private chat: a group shows everything to everybody. A code that was sent in one is void.",
  usage: "Usage: send /link in the private chat of one account to get a code, and /link CODE in that of the other.",
  begun: (code: string) =>
    `The code is ${code}, good for 10 minutes and for one use. Send it to me from your other account: /link ${code}\nGive it to nobody: who has it might become you.`,
  secondCode: ({ code, other }: { readonly code: string; readonly other: string }) =>
    `This links ${other}. If that account is yours, send me this in its private chat within 10 minutes: /link ${code}\nIf it is not, or somebody asked you to do this, do nothing: nothing changes. Once linked, whoever has that account is you to me, with the same rights.`,
  lookInPrivate: "Good. The rest is in our private chat.",
  sendThere: ({ code, other }: { readonly code: string; readonly other: string }) =>
    `Somebody in a group just sent your code: ${other}. If that was you, mention me in that group within 10 minutes and send: /link ${code}\nIf it was not, do nothing: nothing changes.`,
  linked: (other: string) => `Linked: ${other} and this account are one person now. /unlink undoes it.`,
  linkedHere: "Linked.",
  wrong: "That code is wrong, used or too old. Send /link for a new one.",
  tooMany: "Too many wrong codes. Try again in an hour.",
  own: "Send this code from your other account, not from this one.",
  taken: "One of the two accounts is linked already. Send /unlink there first.",
  leaf: "This account was linked from a group, so it cannot link others. Send /unlink first.",
  full: "Too many accounts are linked. /unlink one first.",
  busy: "Too many people are linking accounts. Try again in ten minutes.",
  toOwners: ({ one, other }: { readonly one: string; readonly other: string }) =>
    `Somebody linked accounts: ${one} and ${other} are one person now. If that is wrong, send /unlink and the id.`,
  notLinked: "This account is linked with no other.",
  notYours: (account: string) => `"${account}" is not linked with you. /whoami shows the ids.`,
  unlinked: (accounts: readonly string[]) => `No longer linked: ${accounts.join(", ")}. Each has its own rights again.`,
  strangersNow: (accounts: readonly string[]) => `To be paired again: ${accounts.join(", ")}.`,
  unlinkedHere: "No longer linked.",
  whoAmI: ({ name, id, role }: { readonly name: string; readonly id: string; readonly role: string }) =>
    `You are ${name} (${id}), ${role}.`,
  noOthers: "No other account is linked; /link does that.",
  noOthersHere: "No other account is linked.",
  others: (accounts: readonly string[]) => `Linked accounts: ${accounts.join(", ")}.`,
  roles: { owner: "owner", trusted: "trusted", member: "member", guest: "guest" },
};
