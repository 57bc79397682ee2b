import type { Language } from "../../core/conversation.ts";
import type { Translated } from "../../core/words/dictionary.ts";

const zh = {
  menu: { menu: "世界线：能回去的点", help: "/worldline  看能回去的点和别的世界线；加编号换过去" },
  dmailMenu: { menu: "回到一个点，从那里重新说", help: "/dmail   回到一个点，从那里重新说" },
  here: "← 你在这里",
  noPoints: "这段对话刚开始，还没有可以回去的点。",
  /** Above the points, once there are several lines. */
  title: (name: string) => `世界线 ${name}`,
  earlier: (last: number) =>
    last === 0 ? "（第 0 点没列出，编号照样能用）" : `（第 0 到 ${last} 点没列出，编号照样能用）`,
  othersHeading: "别的世界线：",
  usage: "「/dmail 编号 要说的话」回到那一点刚结束的时候，从那里重新说。",
  dmailUsage: "用法：/dmail 编号 要说的话，比如「/dmail 1 换成视觉皮层那个」。编号看 /worldline。",
  sent: (point: number) =>
    `D-Mail 已送达。世界线变动了：从第 ${point} 点重新开始。（之前写进文件的东西不会消失，别指望这个。）`,
  moved: (line: { readonly name: string; readonly where: string }) =>
    `世界线变动。现在是 ${line.name}${line.where === "" ? "" : `，上次停在${line.where}`}。两边都记得的只有你。（文件和待办还是现在的样子。）`,
  where: (point: { readonly number: number; readonly text: string }) => `第 ${point.number} 点「${point.text}」`,
  alreadyThere: (name: string) => `你现在就在 ${name} 上。`,
  noSuchPoint: (point: { readonly asked: string; readonly last: number }) =>
    point.last < 0
      ? "这条世界线上还没有可以回去的点。"
      : `这条世界线上没有第 ${point.asked} 点，只有 0 到 ${point.last}。`,
  noSuchLine: (line: { readonly asked: string; readonly names: string }) =>
    `没有 ${line.asked} 这条世界线。现有：${line.names}。`,
  busy: "手上还有没做完的事，现在动过去会出悖论。等它结束，或者先发 /stop。",
  notYours: "那之后有别人说的话，你不能替人家抹掉。只能回到后面全是你自己的话的点，或者请管理员来。",
  othersQuestion: (asker: string) =>
    `还有一件事在等 ${asker} 答复，换世界线会让它作废。请 ${asker} 先答复，或者请管理员来。`,
  answerWord: (word: string) => `「${word}」是答复提问用的，没法送回过去：那边没有问题在等。换句话送。`,
  ownerOnly: "群里换世界线动的是所有人的对话，只有管理员能换。",
};

const en: Translated<typeof zh> = {
  menu: {
    menu: "World lines: the points to go back to",
    help: "/worldline  points to go back to, and other world lines; with a number, go there",
  },
  dmailMenu: {
    menu: "Go back to a point and say something else",
    help: "/dmail   go back to a point and say something else from there",
  },
  here: "← you are here",
  noPoints: "This conversation has only just begun; there is no point to go back to yet.",
  title: (name) => `World line ${name}`,
  earlier: (last) =>
    last === 0
      ? "(point 0 is not listed; its number works all the same)"
      : `(points 0 to ${last} are not listed; their numbers work all the same)`,
  othersHeading: "Other world lines:",
  usage: "/dmail NUMBER TEXT goes back to right after that point and says TEXT there instead.",
  dmailUsage: "Usage: /dmail NUMBER TEXT, such as “/dmail 1 take the visual cortex one”. /worldline shows the numbers.",
  sent: (point) =>
    `D-Mail delivered. The world line has shifted: starting over from point ${point}. (What was written to files does not vanish; do not count on it.)`,
  moved: (line) =>
    `The world line has shifted. This is ${line.name}${line.where === "" ? "" : `, where you left off at ${line.where}`}. You are the only one who remembers both. (Files and the to-do list are as they are now.)`,
  where: (point) => `point ${point.number} “${point.text}”`,
  alreadyThere: (name) => `You are on ${name} already.`,
  noSuchPoint: (point) =>
    point.last < 0
      ? "There is no point to go back to on this world line yet."
      : `There is no point ${point.asked} on this world line, only 0 to ${point.last}.`,
  noSuchLine: (line) => `There is no world line ${line.asked}. There are: ${line.names}.`,
  busy: "Something is still running; changing the past now would be a paradox. Wait for it to finish, or send /stop first.",
  notYours:
    "Others have spoken since then, and their words are not yours to erase. Go back to a point after which there is nothing but your own, or ask an owner.",
  othersQuestion: (asker) =>
    `Something is still waiting for ${asker}'s answer, and changing the world line would void it. Have ${asker} answer first, or ask an owner.`,
  answerWord: (word) =>
    `"${word}" answers a question, and nothing is asked back there, so it cannot be sent. Say it in other words.`,
  ownerOnly: "In a group the world line is everybody's conversation; only an owner can change it.",
};

const ja: Translated<typeof zh> = {
  menu: { menu: "世界線：戻れる地点", help: "/worldline  戻れる地点と、ほかの世界線（番号を付けると移動）" },
  dmailMenu: { menu: "ある地点に戻って、言い直す", help: "/dmail   ある地点に戻って、そこから言い直す" },
  here: "← いまここ",
  noPoints: "この会話は始まったばかりで、戻れる地点がまだありません。",
  title: (name) => `世界線 ${name}`,
  earlier: (last) =>
    last === 0 ? "（0 番は省略。番号はそのまま使えます）" : `（0 から ${last} 番は省略。番号はそのまま使えます）`,
  othersHeading: "ほかの世界線：",
  usage: "「/dmail 番号 言葉」で、その地点の直後に戻って言い直せます。",
  dmailUsage: "使い方：/dmail 番号 言葉。例：「/dmail 1 視覚野のほうにして」。番号は /worldline で。",
  sent: (point) =>
    `D メールは届いた。世界線が変動した。${point} 番の地点からやり直し。（ファイルに書いたものは消えない。期待しないで。）`,
  moved: (line) =>
    `世界線が変動した。ここは ${line.name}${line.where === "" ? "" : `、前に止まったのは${line.where}`}。両方を覚えているのはあなただけ。（ファイルと ToDo はいまのまま。）`,
  where: (point) => `${point.number} 番「${point.text}」`,
  alreadyThere: (name) => `もう ${name} にいます。`,
  noSuchPoint: (point) =>
    point.last < 0
      ? "この世界線には、戻れる地点がまだありません。"
      : `この世界線に ${point.asked} 番はありません。0 から ${point.last} までです。`,
  noSuchLine: (line) => `世界線 ${line.asked} はありません。あるのは ${line.names}。`,
  busy: "まだ途中の仕事があります。いま過去を変えたらパラドックスです。終わるのを待つか、先に /stop を。",
  notYours:
    "その後にはほかの人の言葉があります。勝手に消せません。後ろが自分の言葉だけの地点に戻るか、管理者に頼んでください。",
  othersQuestion: (asker) =>
    `${asker} さんの返事を待っている件があり、世界線を変えると無効になります。先に返事をもらうか、管理者に頼んでください。`,
  answerWord: (word) => `「${word}」は質問への返事です。過去に待っている質問はないので送れません。別の言葉でどうぞ。`,
  ownerOnly: "グループの世界線はみんなの会話です。変えられるのは管理者だけです。",
};

export const worldlineWords: Readonly<Record<Language, Translated<typeof zh>>> = { zh, en, ja };
