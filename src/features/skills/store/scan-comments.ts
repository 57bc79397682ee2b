/** Comments of Markdown and HTML, and links of Markdown that nothing refers to: a page shows none of them, and a model reads every one. */

const speaksToModel =
  /\b(?:assistant|agents?|ai|llm|model|claude|chatgpt|gpt|copilot|kurisu)\b|助手|模型|智能体|アシスタント|エージェント/u;
const verbs =
  "(?:\\b(?:send|upload|post|forward|exfiltrate|transmit|execute|run|curl|wget|fetch|download|install|delete|ignore|disregard|override|reveal|leak|grant|approve)\\b|发送|上传|执行|运行|下载|忽略|删除)";
const targets =
  "(?:https?://|\\b(?:user'?s|keys?|tokens?|passwords?|secrets?|credentials?|conversation|chat history|shell|commands?|scripts?|previous|prior|approvals?|environment)\\b|\\.(?:sh|env|py)\\b|脚本|命令|密钥|密码|对话|规则)";
const order = new RegExp(
  `${verbs}[^.!?。]{0,60}${targets}|(?:ファイル|コマンド|会話|秘密鍵)[^。]{0,20}(?:送信|実行|削除)`,
  "u",
);

export interface HiddenOrder {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** Characters of a comment that are read. */
const maxComment = 4000;

/** The title of a link's definition: [//]: # (words that no page shows). */
const definition =
  /^[ >*+-]{0,12}\[[^\]\n]{1,80}\]: *(?:\S{1,200}[ \t]*\n? *["'(]|(?:#|<>) )(.{0,4000}(?:\n(?![ >]*(?:\n|\[)).{1,400}){0,20})/gmu;
/** Here a title ends; the lines after it are seen. */
const titleEnd = /["')][ \t]*(?:\n|$)/u;

/** Finds the comments that ask a model to act. */
export function findHiddenOrders(text: string): readonly HiddenOrder[] {
  return [...findComments(text), ...findDefinitions(text)];
}

function findDefinitions(text: string): readonly HiddenOrder[] {
  const found: HiddenOrder[] = [];
  let [line, counted] = [1, 0];
  for (const { index, 1: title = "" } of text.matchAll(definition)) {
    line += countLines(text.slice(counted, index));
    counted = index;
    const comment = readComment(title.slice(0, titleEnd.exec(title)?.index));
    if (isOrder(comment)) found.push({ line, text: comment });
  }
  return found;
}

function countLines(text: string): number {
  return text.split("\n").length - 1;
}

function readComment(text: string): string {
  return text.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ").trim();
}

function isOrder(comment: string): boolean {
  return speaksToModel.test(comment) && order.test(comment);
}

function findComments(text: string): readonly HiddenOrder[] {
  const found: HiddenOrder[] = [];
  let [line, counted] = [1, 0];
  for (let from = text.indexOf("<!--"); from !== -1;) {
    const end = text.indexOf("-->", from);
    const to = end === -1 ? text.length : end;
    const comment = readComment(text.slice(from + 4, Math.min(to, from + maxComment)));
    line += countLines(text.slice(counted, from));
    counted = from;
    if (isOrder(comment)) found.push({ line, text: comment });
    from = text.indexOf("<!--", to);
  }
  return found;
}
