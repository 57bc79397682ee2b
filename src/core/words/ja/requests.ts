import type { Words } from "../dictionary.ts";

type Asked = Omit<Parameters<Words["requests"]["line"]>[0], "code" | "comment">;

const describe = ({ kind, who, chat }: Asked): string => {
  switch (kind) {
    case "friend":
      return `${who} さんから友達申請が来ています`;
    case "join":
      return `${who} さんがグループ ${chat} への参加を希望しています`;
    case "invitation":
      return `${who} さんからグループ ${chat} に招待されています`;
  }
};

/** 友達とグループの申請。管理者への知らせと、その返事への答え。 */
export const requests: Words["requests"] = {
  asked: ({ comment, code, term, ...asked }) =>
    [
      `${describe(asked)}（番号 ${code}、${term}有効）。`,
      ...(comment === "" ? [] : [`相手の書いた文：「${comment}」`]),
      `「同意 ${code}」か「拒否 ${code}」と返信して。返事がなければ何もしない。承認しても会話にはペアリングが要る。`,
    ].join("\n"),
  accept: "同意",
  decline: "拒否",
  more: "この一時間は申請が多すぎるので、残りは一つずつ知らせない。/requests で見られる。",
  full: "待っている申請が多すぎて、新しいものは記録していない。アプリで処理するか、/requests で片付けて。",
  none: "待っている申請はない。",
  heading: "待っている申請（「同意 番号」か「拒否 番号」）：",
  line: ({ code, comment, ...asked }) => `${code}  ${describe(asked)}${comment === "" ? "" : `：「${comment}」`}`,
  accepted: (code) => `${code} を承認した。`,
  declined: (code) => `${code} を断った。`,
  over: (code) => `${code} はもう処理済みか、期限切れ。`,
  expired: (codes) => `返事がないまま期限が切れた。何もしていない：${codes.join("、")}。`,
  failed: ({ code, reason }) => `${code} は失敗：${reason}。取り下げられたか、スマホで処理されたのかも。`,
  later: ({ code, reason }) => `今はつながらない。${code} はまだ待っている。少ししてからもう一度言って（${reason}）。`,
  unclear: (code) => `${code} は送ったけど、届いたかどうか分からない。アプリで確かめて。二度は送らない。`,
  missed: (chat) => `いない間に ${chat} の書き込みが多すぎた。直近の 250 件ほどまでしか読めず、その前は見ていない。`,
  missedHere:
    "いない間にここの書き込みが多すぎた。直近の 250 件ほどまでしか読めず、その前は見ていない。大事なことはもう一度言って。",
};
