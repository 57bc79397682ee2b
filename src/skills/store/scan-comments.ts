/** Comments of Markdown and HTML: a page shows none of them, and a model reads every one. */

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

/** Finds the comments that ask a model to act. */
export function findHiddenOrders(text: string): readonly HiddenOrder[] {
  const found: HiddenOrder[] = [];
  let [line, counted] = [1, 0];
  for (let from = text.indexOf("<!--"); from !== -1;) {
    const end = text.indexOf("-->", from);
    const to = end === -1 ? text.length : end;
    const comment = text
      .slice(from + 4, Math.min(to, from + maxComment))
      .normalize("NFKC")
      .toLowerCase()
      .replaceAll(/\s+/g, " ");
    for (let at = text.indexOf("\n", counted); at !== -1 && at < from; at = text.indexOf("\n", counted)) {
      line += 1;
      counted = at + 1;
    }
    if (speaksToModel.test(comment) && order.test(comment)) found.push({ line, text: comment.trim() });
    from = text.indexOf("<!--", to);
  }
  return found;
}
