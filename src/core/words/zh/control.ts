import { kurisuCommand } from "../../kurisu-command.ts";

/** Words about the proof behind an answer, the kill switch, and limits. */
export const control = {
  configuration: {
    status: (keys: readonly string[]) => `等重启才生效：${keys.join("、")}`,
    refused: (files: readonly string[]) => `配置有错，用的是上一份：${files.join("、")}`,
  },
  pause: {
    done: "全部停下了。谁的活都不干，工具都不让用，问题都作废，重启也一样。发来的消息我先收着。要继续就发 /resume（不想回那些消息就发 /resume drop）。",
    already: "已经是全部停下的状态了。要继续就发 /resume。",
    stoppedHere: "管理员按了总开关，这里正在做的停下了。等恢复了再说一次。",
    questionClosed: (code: string) => `管理员按了总开关，${code} 作废，没有执行。`,
    kept: "现在全部暂停了（管理员按的总开关）。你的消息我先收着，恢复以后再回。",
    nothingRuns: "现在全部暂停了，确认也不会执行任何东西。",
    resumed: (count: number) => (count === 0 ? "恢复了。" : `恢复了。收着的 ${count} 条消息现在开始回。`),
    resumedWithout: (count: number) =>
      count === 0 ? "恢复了。" : `恢复了。收着的 ${count} 条消息不回了，已经告诉他们。`,
    dropped: "恢复了。暂停期间发的消息我没有看，还需要的话再说一次。",
    notPaused: "本来就没有暂停。",
    status: (since: { readonly by: string; readonly time: string }) =>
      `总开关：全部暂停（${since.by}，${since.time}）。/resume 恢复。`,
  },
  limits: {
    tooFast: (limit: number) => `太快了，一分钟最多 ${limit} 条。从这条起我先不看，过一分钟再发。`,
    tooBusy: (limit: number) => `现在消息太多，一分钟最多处理 ${limit} 条。从这条起我先不看，过一分钟再发。`,
    /** A limit that stops a person, by its scope; `what` = how much of how much. */
    reached: {
      person: (of: { readonly what: string; readonly percent: string; readonly model: string }) =>
        `你今天的额度用完了：${of.what}（${of.percent}%）。`,
      chat: (of: { readonly what: string; readonly percent: string; readonly model: string }) =>
        `这个聊天今天的额度用完了：${of.what}（${of.percent}%）。`,
      all: (of: { readonly what: string; readonly percent: string; readonly model: string }) =>
        `今天的总额度用完了：${of.what}（${of.percent}%），我先停下。`,
      model: (of: { readonly what: string; readonly percent: string; readonly model: string }) =>
        `能用的模型今天都到额度了，${of.model}：${of.what}（${of.percent}%）。`,
    },
    /** When it begins again. */
    anew: (zone: string) => `零点（${zone}）一过就恢复。`,
    remedy: (key: string) => `等不及就请管理员改 models.yaml 的 ${key}。`,
    ownerRemedy: (key: string) => `等不及就改 models.yaml 的 ${key}，存盘就生效。`,
    tokens: (text: string) => `${text} token`,
    /** Below a reply. */
    close: (of: { readonly scope: string; readonly percent: string; readonly what: string }) =>
      `（先说一声：${of.scope === "chat" ? "这个聊天" : "你"}今天的额度用了 ${of.percent}%，${of.what}。）`,
    passed: (of: { readonly scope: string; readonly percent: string; readonly what: string }) =>
      `说完这句，${of.scope === "chat" ? "这个聊天" : "你"}今天的额度就用完了：${of.percent}%，${of.what}。`,
  },
} as const;

/** Why no model answered. Only `waits` promises anything; the others say whether to send it once more. */
export const outage = {
  waits: (of: { readonly models: number; readonly term: string }) =>
    `${of.models === 1 ? "模型" : of.models === 2 ? "两个模型都" : `${of.models} 个模型都`}连不上。你的话我留着，${of.term}内通了就回你；等不及就 /stop。`,
  /** `count` messages, some of them quoted. */
  givenUp: (of: { readonly term: string; readonly quotes: readonly string[]; readonly count: number }) => {
    const kept = `等了 ${of.term}，模型还是没通。`;
    if (of.count === 1)
      return `${kept}${of.quotes[0] === undefined ? "" : `「${of.quotes[0]}」`}这条我放下了，没有回。还要就再发一遍。`;
    const left = of.count - of.quotes.length;
    const lines = of.quotes.map((text) => `· ${text}`);
    return [
      `${kept}这 ${of.count} 条我放下了，都没有回：`,
      ...lines,
      ...(left > 0 ? [`· ……还有 ${left} 条`] : []),
      "还要就再发一遍。",
    ].join("\n");
  },
  statusWaiting: (of: { readonly count: number; readonly time: string }) =>
    `等模型的：${of.count} 条，${of.time} 起没连上。`,
  /** Behind the answer to /stop. */
  stopped: "等模型的那条放下了，没有回。",
  unreachable: `模型连不上，这条没答成，我也没有留着。过几分钟再发一遍；一直这样就请管理员跑一下 \`${kurisuCommand} doctor\`。`,
  limited: "模型那边限流（429），不是断了。这条没答成，过几分钟再发一遍。",
  keyRefused: `密钥被拒（401），不是网络的事，再发也没用。换好 \`OPENAI_API_KEY\`（或你用的那家的密钥）重启，再叫我；\`${kurisuCommand} doctor\` 说得出是哪一个。`,
  noCredit: `模型账户没有余额了（402），再发也没用。充值之后再叫我；\`${kurisuCommand} doctor\` 说得出是哪一个。`,
  notFound: "服务器说没有这个模型（404），再发也没用。改对 `KURISU_MODEL` 里的名字再叫我。",
  tooLong: "这段对话太长，模型收不下了，能省的我都省过了。少发一点，或者 /new 从头开始。",
  refused: "模型的服务器不收这个请求，再发也一样。这不是你的问题，要看服务器怎么说。",
  serverWords: (words: string) => `服务器的原话：${words}`,
  forOthers: "现在答不了，要等管理员处理。这条没答成，也没有留着，晚点再发。",
  /** To owners in private, when it was another person's message. */
  toOwner: (cause: string) => `有人找我，我答不了。${cause}`,
  /** To an owner in private, once. */
  offlineModel: `先说清楚：没接真正的模型，我只按规则办事。想谈脑科学，就跑一下 \`${kurisuCommand} setup\` 接一个，或者启动 Ollama；缺什么看 \`${kurisuCommand} doctor\`。`,
} as const;

/** Answers to /trust and /untrust. */
export const trust = {
  usage: "用法：/trust 编号或名字，收回用 /untrust。编号是平台上的号码；名字重复时只认编号。",
  given: ({ name, id }: { readonly name: string; readonly id: string }) =>
    `好，${name}（${id}）现在是受信任的人。下一句话起算。`,
  taken: ({ name, id }: { readonly name: string; readonly id: string }) =>
    `${name}（${id}）不再是受信任的人，只是普通成员。现在就算。`,
  unknown: (text: string) => `我不认识“${text}”。用编号再试一次，或者先让对方配对。`,
  several: (ids: readonly string[]) => `叫这个名字的不止一个：${ids.join("、")}。请用编号。`,
  isOwner: (name: string) => `${name} 是管理员，不用再给。`,
  notTrusted: (name: string) => `${name} 本来就不在受信任的人里。`,
  byConfiguration: (name: string) => `${name} 是配置里写明受信任的，请改 channels.yaml 的 trusted。`,
};
