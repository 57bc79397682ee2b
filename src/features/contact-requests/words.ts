import type { Language } from "../../core/conversation.ts";
import type { Translated } from "../../core/words/dictionary.ts";

interface Asked {
  readonly kind: "friend" | "join" | "invitation";
  readonly who: string;
  readonly chat: string;
}

const describeInChinese = ({ kind, who, chat }: Asked): string => {
  switch (kind) {
    case "friend":
      return `${who} 想加我为好友`;
    case "join":
      return `${who} 想进群 ${chat}`;
    case "invitation":
      return `${who} 邀请我进群 ${chat}`;
  }
};

const describeInEnglish = ({ kind, who, chat }: Asked): string => {
  switch (kind) {
    case "friend":
      return `${who} wants to add me as a friend`;
    case "join":
      return `${who} wants to join group ${chat}`;
    case "invitation":
      return `${who} invites me to group ${chat}`;
  }
};

const describeInJapanese = ({ kind, who, chat }: Asked): string => {
  switch (kind) {
    case "friend":
      return `${who} さんから友達申請が来ています`;
    case "join":
      return `${who} さんがグループ ${chat} への参加を希望しています`;
    case "invitation":
      return `${who} さんからグループ ${chat} に招待されています`;
  }
};

const zh = {
  menus: {
    requests: { menu: "加好友、加群的请求（管理员）", help: "/requests  等着的好友和加群请求（管理员）" },
  },
  asked: ({
    comment,
    code,
    term,
    ...asked
  }: Asked & { readonly comment: string; readonly code: string; readonly term: string }) =>
    [
      `${describeInChinese(asked)}（编号 ${code}，${term}内有效）。`,
      ...(comment === "" ? [] : [`对方写的：「${comment}」`]),
      `回复「同意 ${code}」或「拒绝 ${code}」。不回就什么也不做。同意了也只是加上，要和我聊还得配对。`,
    ].join("\n"),
  accept: "同意",
  decline: "拒绝",
  more: "这一小时的好友和加群请求太多，后面的不一条条说了。发 /requests 看全部。",
  full: "等着的好友和加群请求太多了，新来的没记下。到聊天软件里处理，或者用 /requests 清一清。",
  none: "没有等着的好友或加群请求。",
  heading: "等着的请求（「同意 编号」或「拒绝 编号」）：",
  line: ({ code, comment, ...asked }: Asked & { readonly code: string; readonly comment: string }) =>
    `${code}  ${describeInChinese(asked)}${comment === "" ? "" : `：「${comment}」`}`,
  accepted: (code: string) => `${code} 同意了。`,
  declined: (code: string) => `${code} 拒绝了。`,
  over: (code: string) => `${code} 已经处理过，或者过期了。`,
  expired: (codes: readonly string[]) => `没人回，过期了，什么也没做：${codes.join("、")}。`,
  failed: ({ code, reason }: { readonly code: string; readonly reason: string }) =>
    `${code} 没成：${reason}。可能对方撤回了，或者在手机上处理过了。`,
  later: ({ code, reason }: { readonly code: string; readonly reason: string }) =>
    `现在连不上，${code} 还在等，过会儿再说一次（${reason}）。`,
  unclear: (code: string) => `${code} 发出去了，但不知道成没成。到聊天软件里看一眼，我不会再发一次。`,
};

const en: Translated<typeof zh> = {
  menus: {
    requests: {
      menu: "Friend and group requests (owners)",
      help: "/requests  friend and group requests that wait (owners)",
    },
  },
  asked: ({ comment, code, term, ...asked }) =>
    [
      `${describeInEnglish(asked)} (${code}, good for ${term}).`,
      ...(comment === "" ? [] : [`They wrote: "${comment}"`]),
      `Reply "accept ${code}" or "decline ${code}". Without an answer nothing happens. Accepted is not paired: to talk to me they still need a code.`,
    ].join("\n"),
  accept: "Accept",
  decline: "Decline",
  more: "Too many friend and group requests this hour; I do not announce the rest one by one. /requests lists them.",
  full: "Too many friend and group requests are waiting; new ones were not kept. Answer them in the app, or see /requests.",
  none: "No friend or group request is waiting.",
  heading: 'Requests that wait ("accept CODE" or "decline CODE"):',
  line: ({ code, comment, ...asked }) =>
    `${code}  ${describeInEnglish(asked)}${comment === "" ? "" : `: "${comment}"`}`,
  accepted: (code) => `${code}: accepted.`,
  declined: (code) => `${code}: declined.`,
  over: (code) => `${code} was answered before, or is too old.`,
  expired: (codes) => `Nobody answered, so nothing was done: ${codes.join(", ")}.`,
  failed: ({ code, reason }) => `${code} failed: ${reason}. It may have been withdrawn, or answered on the phone.`,
  later: ({ code, reason }) => `There is no connection now. ${code} still waits; say it again in a while (${reason}).`,
  unclear: (code) => `${code} went out, but nobody knows whether it arrived. Look in the app: I do not send it again.`,
};

const ja: Translated<typeof zh> = {
  menus: {
    requests: { menu: "友達とグループの申請（管理者）", help: "/requests  待っている友達とグループの申請（管理者）" },
  },
  asked: ({ comment, code, term, ...asked }) =>
    [
      `${describeInJapanese(asked)}（番号 ${code}、${term}有効）。`,
      ...(comment === "" ? [] : [`相手の書いた文：「${comment}」`]),
      `「同意 ${code}」か「拒否 ${code}」と返信して。返事がなければ何もしない。承認しても会話にはペアリングが要る。`,
    ].join("\n"),
  accept: "同意",
  decline: "拒否",
  more: "この一時間は申請が多すぎるので、残りは一つずつ知らせない。/requests で見られる。",
  full: "待っている申請が多すぎて、新しいものは記録していない。アプリで処理するか、/requests で片付けて。",
  none: "待っている申請はない。",
  heading: "待っている申請（「同意 番号」か「拒否 番号」）：",
  line: ({ code, comment, ...asked }) =>
    `${code}  ${describeInJapanese(asked)}${comment === "" ? "" : `：「${comment}」`}`,
  accepted: (code) => `${code} を承認した。`,
  declined: (code) => `${code} を断った。`,
  over: (code) => `${code} はもう処理済みか、期限切れ。`,
  expired: (codes) => `返事がないまま期限が切れた。何もしていない：${codes.join("、")}。`,
  failed: ({ code, reason }) => `${code} は失敗：${reason}。取り下げられたか、スマホで処理されたのかも。`,
  later: ({ code, reason }) => `今はつながらない。${code} はまだ待っている。少ししてからもう一度言って（${reason}）。`,
  unclear: (code) => `${code} は送ったけど、届いたかどうか分からない。アプリで確かめて。二度は送らない。`,
};

export type ContactRequestWords = Translated<typeof zh>;

export const requestWords: Readonly<Record<Language, ContactRequestWords>> = { zh, en, ja };
