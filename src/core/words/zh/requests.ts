/** 加好友、加群的请求：给管理员看的，和对管理员的回答。 */
interface Asked {
  readonly kind: "friend" | "join" | "invitation";
  readonly who: string;
  readonly chat: string;
}

const describe = ({ kind, who, chat }: Asked): string => {
  switch (kind) {
    case "friend":
      return `${who} 想加我为好友`;
    case "join":
      return `${who} 想进群 ${chat}`;
    case "invitation":
      return `${who} 邀请我进群 ${chat}`;
  }
};

export const requests = {
  asked: ({
    comment,
    code,
    term,
    ...asked
  }: Asked & { readonly comment: string; readonly code: string; readonly term: string }) =>
    [
      `${describe(asked)}（编号 ${code}，${term}内有效）。`,
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
    `${code}  ${describe(asked)}${comment === "" ? "" : `：「${comment}」`}`,
  accepted: (code: string) => `${code} 同意了。`,
  declined: (code: string) => `${code} 拒绝了。`,
  over: (code: string) => `${code} 已经处理过，或者过期了。`,
  expired: (codes: readonly string[]) => `没人回，过期了，什么也没做：${codes.join("、")}。`,
  failed: ({ code, reason }: { readonly code: string; readonly reason: string }) =>
    `${code} 没成：${reason}。可能对方撤回了，或者在手机上处理过了。`,
  later: ({ code, reason }: { readonly code: string; readonly reason: string }) =>
    `现在连不上，${code} 还在等，过会儿再说一次（${reason}）。`,
  unclear: (code: string) => `${code} 发出去了，但不知道成没成。到聊天软件里看一眼，我不会再发一次。`,
  missed: (chat: string) => `我不在的时候 ${chat} 的消息太多，只补到最近的大约 250 条，更早的没看到。`,
  missedHere: "我不在的时候这里的消息太多，只补到最近的大约 250 条，更早的没看到。要紧的再说一遍。",
};
