import type { Words } from "../dictionary.ts";

type Asked = Omit<Parameters<Words["requests"]["line"]>[0], "code" | "comment">;

const describe = ({ kind, who, chat }: Asked): string => {
  switch (kind) {
    case "friend":
      return `${who} wants to add me as a friend`;
    case "join":
      return `${who} wants to join group ${chat}`;
    case "invitation":
      return `${who} invites me to group ${chat}`;
  }
};

/** Requests to be a friend or for a group: told to the owners, and the answers to theirs. */
export const requests: Words["requests"] = {
  asked: ({ comment, code, term, ...asked }) =>
    [
      `${describe(asked)} (${code}, good for ${term}).`,
      ...(comment === "" ? [] : [`They wrote: "${comment}"`]),
      `Reply "accept ${code}" or "decline ${code}". Without an answer nothing happens. Accepted is not paired: to talk to me they still need a code.`,
    ].join("\n"),
  accept: "Accept",
  decline: "Decline",
  more: "Too many friend and group requests this hour; I do not announce the rest one by one. /requests lists them.",
  full: "Too many friend and group requests are waiting; new ones were not kept. Answer them in the app, or see /requests.",
  none: "No friend or group request is waiting.",
  heading: 'Requests that wait ("accept CODE" or "decline CODE"):',
  line: ({ code, comment, ...asked }) => `${code}  ${describe(asked)}${comment === "" ? "" : `: "${comment}"`}`,
  accepted: (code) => `${code}: accepted.`,
  declined: (code) => `${code}: declined.`,
  over: (code) => `${code} was answered before, or is too old.`,
  expired: (codes) => `Nobody answered, so nothing was done: ${codes.join(", ")}.`,
  failed: ({ code, reason }) => `${code} failed: ${reason}. It may have been withdrawn, or answered on the phone.`,
  later: ({ code, reason }) => `There is no connection now. ${code} still waits; say it again in a while (${reason}).`,
  unclear: (code) => `${code} went out, but nobody knows whether it arrived. Look in the app: I do not send it again.`,
  missed: (chat) =>
    `While I was away too much was written in ${chat}. I read the last 250 messages or so, and missed what came before.`,
  missedHere:
    "While I was away too much was written here. I read the last 250 messages or so, and missed what came before. If something mattered, say it again.",
};
