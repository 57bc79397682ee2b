import type { Language } from "../../core/conversation.ts";
import type { Translated } from "../../core/words/dictionary.ts";
import { countOf } from "../../core/words/count-of.ts";

const zh = {
  menus: {
    usage: { menu: "今天用了多少", help: "/usage   今天用了多少" },
    proof: { menu: "上一条回答有什么依据", help: "/proof   上一条回答有什么依据" },
  },
  noTools: (of: { readonly model: string; readonly reason: string }) =>
    `${of.model} 用不了工具，之后我不给它工具：查不了、写不了、跑不了，只能聊。要我做事就换一个模型。服务器的原话：${of.reason}`,
  toolsLeftOut: (of: { readonly model: string; readonly tools: string; readonly reason: string }) =>
    `${of.model} 不收这些工具的参数定义，我只把它们留下不用：${of.tools}。服务器的原话：${of.reason}`,
  proof: {
    noAnswer: "这里还没有回答，没有可以查证的。",
    nothing: "上一条回答背后没有任何工具结果：是我自己说的，没有查证过。",
    heading: (of: { readonly count: number; readonly time: string; readonly turn: string }) =>
      `上一条回答（${of.time}，${of.turn}）背后有 ${of.count} 次工具调用：`,
    done: "完成",
    failed: "失败",
    denied: "没有执行",
    unknown: "不知道有没有执行",
    took: (seconds: string) => `${seconds} 秒`,
    byAgent: (agent: string) => `（${agent} 做的）`,
    left: "（后来用 D-Mail 撤回了，回答没有用到它）",
    sources: (sources: readonly string[]) => `来源：${sources.join("、")}`,
    approved: (by: { readonly code: string; readonly name: string; readonly time: string }) =>
      `问过：${by.code}，${by.name} 在 ${by.time} 同意`,
    rejected: (by: { readonly code: string; readonly name: string; readonly time: string }) =>
      `问过：${by.code}，${by.name} 在 ${by.time} 拒绝`,
    audit: (row: { readonly seq: number; readonly hash: string }) => `审计第 ${row.seq} 行，${row.hash}`,
  },
  configuration: {
    faulty: (fault: { readonly lines: string; readonly left: number }) =>
      `配置改了，可是有错，我没用，还按上一份好的来：\n${fault.lines}${fault.left > 0 ? `\n……还有 ${fault.left} 处。` : ""}\n改好存盘就行，不用重启。`,
    good: "配置现在没问题了，已经按新的来。",
    waiting: (keys: readonly string[]) => `配置改了。这几项要重启才生效：\n${keys.join("\n")}\n别的已经按新的来。`,
    kept: (lines: readonly string[]) => `配置改了，可是这几处用不了，还按原来的：\n${lines.join("\n")}`,
  },
  limits: {
    bound: (of: { readonly limit: string; readonly percent: string }) => `${of.limit}（用了 ${of.percent}%）`,
    /** `hasCheaper` = another model can be used for the rest. */
    spent: (of: {
      readonly percent: string;
      readonly what: string;
      readonly ownersGoOn: boolean;
      readonly hasCheaper: boolean;
    }) =>
      `今天的总额度到了：${of.percent}%（${of.what}）。${of.ownersGoOn ? `别人都停了，管理员还能接着用${of.hasCheaper ? "便宜的模型" : ""}。` : "谁的我都先不接了。"}/usage 看明细。`,
    modelSpent: (of: { readonly model: string; readonly percent: string; readonly what: string }) =>
      `${of.model} 今天的额度到了：${of.percent}%（${of.what}）。今天不再问它，换后面的模型。/usage 看明细。`,
    myCost: (of: { readonly cost: string; readonly limit: string }) => `你今天的花费：${of.cost}，上限 ${of.limit}`,
    chat: (of: { readonly tokens: string; readonly calls: number; readonly limit: string }) =>
      `这个聊天今天：${of.tokens} token，${of.calls} 次，上限 ${of.limit}`,
    modelLimit: (of: { readonly model: string; readonly what: string; readonly percent: string }) =>
      `${of.model} 的上限：${of.what}（用了 ${of.percent}%）`,
    warning: (of: { readonly percent: string; readonly what: string; readonly hasCheaper: boolean }) =>
      `今天已经用掉总额度的 ${of.percent}%（${of.what}）。${of.hasCheaper ? "到上限前会先换便宜的模型，再到就停。" : "到了上限就停。"}/usage 看明细。`,
    mine: (of: { readonly tokens: string; readonly calls: number; readonly limit: string }) =>
      `你今天：${of.tokens} token，问了模型 ${of.calls} 次，上限 ${of.limit}`,
    all: (of: { readonly tokens: string; readonly calls: number; readonly limit: string }) =>
      `所有人今天：${of.tokens} token，${of.calls} 次，上限 ${of.limit}`,
    cost: (of: { readonly cost: string; readonly limit: string }) => `花费：${of.cost}，上限 ${of.limit}`,
    ofModel: (of: { readonly model: string; readonly tokens: string }) => `  ${of.model}：${of.tokens}`,
    ofPerson: (of: { readonly person: string; readonly tokens: string }) => `  ${of.person}：${of.tokens}`,
    estimated: (count: number) => `其中 ${count} 次服务器没报用量，是估的。`,
    cheaper: "快到上限了，现在用便宜的模型。",
    over: (of: { readonly ownersGoOn: boolean }) =>
      of.ownersGoOn ? "今天的总额度已经用完，只有管理员还能用。" : "今天的总额度已经用完，谁的我都不接。",
    none: "无",
  },
};

const en: Translated<typeof zh> = {
  menus: {
    usage: { menu: "How much was used today", help: "/usage   what was used today" },
    proof: { menu: "What the last answer rests on", help: "/proof   what stands behind the last answer" },
  },
  noTools: ({ model, reason }: { readonly model: string; readonly reason: string }) =>
    `${model} cannot use tools, so I no longer offer it any: I can talk, but look nothing up, write nothing and run nothing. For that, choose another model. The server's words: ${reason}`,
  toolsLeftOut: ({
    model,
    reason,
    tools,
  }: {
    readonly model: string;
    readonly tools: string;
    readonly reason: string;
  }) =>
    `${model} does not take the parameters of these tools, so I leave out just them: ${tools}. The server's words: ${reason}`,
  proof: {
    noAnswer: "There is no answer here yet, so nothing to prove.",
    nothing: "No tool result stands behind the last answer: I said it by myself, nothing was checked.",
    heading: ({ count, time, turn }) =>
      `Behind the last answer (${time}, ${turn}) ${count === 1 ? "stands" : "stand"} ${countOf(count, "tool call")}:`,
    done: "done",
    failed: "failed",
    denied: "did not run",
    unknown: "not known whether it ran",
    took: (seconds) => `${seconds} s`,
    byAgent: (agent) => `(by ${agent})`,
    left: "(taken back by a D-Mail; the answer did not use it)",
    sources: (sources) => `Sources: ${sources.join(", ")}`,
    approved: ({ code, name, time }) => `Asked: ${code}, ${name} said yes at ${time}`,
    rejected: ({ code, name, time }) => `Asked: ${code}, ${name} said no at ${time}`,
    audit: ({ seq, hash }) => `Audit row ${seq}, ${hash}`,
  },
  configuration: {
    faulty: ({ lines, left }) =>
      `The configuration was changed, but something in it is wrong. I did not take it and go on with the last good one:\n${lines}${left > 0 ? `\n… and ${left} more.` : ""}\nMend the file and save it; no restart is needed.`,
    good: "The configuration is fine again, and in force.",
    waiting: (keys) =>
      `The configuration was changed. These wait for a restart:\n${keys.join("\n")}\nThe rest is in force.`,
    kept: (lines) => `The configuration was changed, but this cannot be used and stays as it was:\n${lines.join("\n")}`,
  },
  limits: {
    bound: ({ limit, percent }) => `${limit} (${percent}% used)`,
    spent: ({ percent, what, ownersGoOn, hasCheaper }) =>
      `Today's budget is reached: ${percent}% (${what}). ${ownersGoOn ? `Everybody else is stopped; owners go on${hasCheaper ? " with the cheaper model" : ""}.` : "I answer nobody any more."} /usage has the details.`,
    modelSpent: ({ model, percent, what }) =>
      `${model} has reached its limit of today: ${percent}% (${what}). I don't ask it again today; the next model answers. /usage has the details.`,
    myCost: ({ cost, limit }) => `Your cost today: ${cost}, limit ${limit}`,
    chat: ({ tokens, calls, limit }) =>
      `This chat today: ${countOf(tokens, "token")} in ${countOf(calls, "request")}, limit ${limit}`,
    modelLimit: ({ model, what, percent }) => `Limit of ${model}: ${what} (${percent}% used)`,
    warning: ({ percent, what, hasCheaper }) =>
      `${percent}% of today's budget is used (${what}). ${hasCheaper ? "A cheaper model comes first, then I stop." : "At the limit I stop."} /usage has the details.`,
    mine: ({ tokens, calls, limit }) =>
      `You today: ${countOf(tokens, "token")} in ${countOf(calls, "request")}, limit ${limit}`,
    all: ({ tokens, calls, limit }) =>
      `Everybody today: ${countOf(tokens, "token")} in ${countOf(calls, "request")}, limit ${limit}`,
    cost: ({ cost, limit }) => `Cost: ${cost}, limit ${limit}`,
    ofModel: ({ model, tokens }) => `  ${model}: ${tokens}`,
    ofPerson: ({ person, tokens }) => `  ${person}: ${tokens}`,
    estimated: (count) => `For ${count} of them the server gave no usage; they are estimated.`,
    cheaper: "Close to the limit: the cheaper model answers now.",
    over: ({ ownersGoOn }) =>
      ownersGoOn ? "Today's budget is used up; only owners go on." : "Today's budget is used up; I answer nobody.",
    none: "none",
  },
};

const ja: Translated<typeof zh> = {
  menus: {
    usage: { menu: "今日使った量", help: "/usage   今日の使用量" },
    proof: { menu: "前の答えの根拠", help: "/proof   直前の回答の裏付け" },
  },
  noTools: ({ model, reason }: { readonly model: string; readonly reason: string }) =>
    `${model} はツールを使えない。だからもう渡さない：話はできるけど、調べる・書く・実行するは無理。必要なら別のモデルを選んで。サーバーの言葉：${reason}`,
  toolsLeftOut: ({
    model,
    reason,
    tools,
  }: {
    readonly model: string;
    readonly tools: string;
    readonly reason: string;
  }) => `${model} がこのツールの引数定義を受け付けないから、それだけ外した：${tools}。サーバーの言葉：${reason}`,
  proof: {
    noAnswer: "ここにはまだ回答がないので、確かめるものもありません。",
    nothing: "直前の回答の裏付けになるツールの結果はありません。私が自分で言っただけで、確認はしていません。",
    heading: ({ count, time, turn }) =>
      `直前の回答（${time}、${turn}）の裏には ${count} 回のツール呼び出しがあります：`,
    done: "完了",
    failed: "失敗",
    denied: "実行せず",
    unknown: "実行されたか不明",
    took: (seconds) => `${seconds} 秒`,
    byAgent: (agent) => `（${agent} が実行）`,
    left: "（D メールで取り消され、回答には使われていません）",
    sources: (sources) => `出典：${sources.join("、")}`,
    approved: ({ code, name, time }) => `確認：${code}、${name} が ${time} に承認`,
    rejected: ({ code, name, time }) => `確認：${code}、${name} が ${time} に拒否`,
    audit: ({ seq, hash }) => `監査 ${seq} 行目、${hash}`,
  },
  configuration: {
    faulty: ({ lines, left }) =>
      `設定が変わったけど、間違いがあるので使っていない。前の正しい設定のまま動いている:\n${lines}${left > 0 ? `\n…ほかに ${left} か所。` : ""}\n直して保存すれば反映される。再起動はいらない。`,
    good: "設定はもう問題ない。新しい内容で動いている。",
    waiting: (keys) =>
      `設定が変わった。次の項目は再起動すると反映される:\n${keys.join("\n")}\nほかはもう新しい内容で動いている。`,
    kept: (lines) => `設定が変わったけど、次のところは使えないので前のまま:\n${lines.join("\n")}`,
  },
  limits: {
    bound: ({ limit, percent }) => `${limit}（${percent}% 使用）`,
    spent: ({ percent, what, ownersGoOn, hasCheaper }) =>
      `今日の予算に達した：${percent}%（${what}）。${ownersGoOn ? `ほかの人は止まり、管理者だけ${hasCheaper ? "安いモデルで" : ""}続けられる。` : "もう誰にも答えない。"}詳細は /usage。`,
    modelSpent: ({ model, percent, what }) =>
      `${model} は今日の上限に達した：${percent}%（${what}）。今日はもう使わず、次のモデルが答える。詳細は /usage。`,
    myCost: ({ cost, limit }) => `今日のあなたの費用：${cost}、上限 ${limit}`,
    chat: ({ tokens, calls, limit }) => `今日のこのチャット：${tokens} トークン、${calls} 回、上限 ${limit}`,
    modelLimit: ({ model, what, percent }) => `${model} の上限：${what}（${percent}% 使用）`,
    warning: ({ percent, what, hasCheaper }) =>
      `今日の予算の ${percent}% を使った（${what}）。${hasCheaper ? "まず安いモデルに替え、" : ""}上限で止まる。詳細は /usage。`,
    mine: ({ tokens, calls, limit }) => `今日のあなた：${tokens} トークン、${calls} 回、上限 ${limit}`,
    all: ({ tokens, calls, limit }) => `今日の全員：${tokens} トークン、${calls} 回、上限 ${limit}`,
    cost: ({ cost, limit }) => `費用：${cost}、上限 ${limit}`,
    ofModel: ({ model, tokens }) => `  ${model}：${tokens}`,
    ofPerson: ({ person, tokens }) => `  ${person}：${tokens}`,
    estimated: (count) => `うち ${count} 回はサーバーが使用量を返さなかったので見積もり。`,
    cheaper: "上限が近いから、今は安いモデルが答える。",
    over: ({ ownersGoOn }) =>
      ownersGoOn ? "今日の予算は使い切った。使えるのは管理者だけ。" : "今日の予算は使い切った。誰にも答えない。",
    none: "なし",
  },
};

export type OversightWords = Translated<typeof zh>;

export const oversightWords: Readonly<Record<Language, OversightWords>> = { zh, en, ja };
