import { kurisuCommand } from "../../kurisu-command.ts";

/** Why no model answered. Nothing is kept until it answers again, so each says whether to send it once more. */
export const outage = {
  unreachable: `模型连不上，这条没答成，我也没有留着。过几分钟再发一遍；一直这样就请管理员跑一下 \`${kurisuCommand} doctor\`。`,
  limited: "模型那边限流（429），不是断了。这条没答成，过几分钟再发一遍。",
  keyRefused: `密钥被拒（401），不是网络的事，再发也没用。换好 \`OPENAI_API_KEY\`（或你用的那家的密钥）重启，再叫我；\`${kurisuCommand} doctor\` 说得出是哪一个。`,
  noCredit: `模型账户没有余额了（402），再发也没用。充值之后再叫我；\`${kurisuCommand} doctor\` 说得出是哪一个。`,
  notFound: "服务器说没有这个模型（404），再发也没用。改对 `KURISU_MODEL` 里的名字再叫我。",
  tooMuch: "这段对话模型不收：多半是太长了。少发一点，或者 /new 从头开始。",
  forOthers: "现在答不了，要等管理员处理。这条没答成，也没有留着，晚点再发。",
  /** To owners in private, when it was somebody else's message. */
  toOwner: (cause: string) => `有人找我，我答不了。${cause}`,
  /** To an owner in private, once. */
  offlineModel: `先说清楚，现在没接上真正的模型，我只会按规则办事。设置 \`OPENAI_API_KEY\` 或者启动 Ollama，再来谈脑科学。缺什么用 \`${kurisuCommand} doctor\` 看。（只说这一次。）`,
} as const;
