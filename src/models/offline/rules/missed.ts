import { call } from "../rule.ts";
import type { Rule } from "../rule.ts";

export const missedRules: readonly Rule[] = [
  {
    kind: "look",
    forms: [
      /我(?:都)?(?:错过|漏掉?)了?(?:些)?(?:什么|啥|哪些)|(?:群里|大家|他们)(?:刚才|刚刚|都|今天)*(?:说|聊)了?(?:些)?(?:什么|啥)|总结(?:一下)?群(?:里|聊)/,
      /\bwhat (?:did|have) i miss(?:ed)?\b|\bwhat was said in (?:the|this) (?:group|chat)\b|\bcatch me up\b/,
      /見逃した(?:話|こと)|グループで何の話/,
    ],
    read: () => call("list_missed"),
  },
];
