/**
 * Deeds that only some tools can have done. A deed of no kind here, such as "written" or "saved", is supported by every tool
 * that changes something: a claim is doubted only where the tools of the turn cannot have done it.
 */
type Deed = "delete" | "send" | "remind" | "run";

/**
 * The deeds that each of our own tools can have done. Any other tool (a command, a page, a sub-agent, an MCP tool) may
 * have done anything.
 */
const deedsOfTools: ReadonlyMap<string, readonly Deed[]> = new Map<string, readonly Deed[]>([
  ["file_write", []],
  ["file_edit", ["delete"]],
  ["file_patch", ["delete"]],
  ["file_delete", ["delete"]],
  ["send_file", ["send"]],
  ["remind", ["remind"]],
  ["cancel_reminder", ["delete", "remind"]],
  ["remember", []],
  ["forget", ["delete"]],
  ["todo", ["delete", "remind"]],
]);

/** Each finds the deed as what the clause says was done, not as a noun or an attribute: an installation guide was written, not installed. */
const deedWords: Readonly<Record<Deed, readonly RegExp[]>> = {
  delete: [
    /删(?:掉|除|好|完|光|干净)?了|删除(?:成功|完成|完毕)|清空(?:好|完)?了/u,
    /(?:^|\bi(?:'ve| have)?(?: just| already| now)? |\band |\b(?:has|have) been )(?:deleted|removed|erased|wiped)\b/u,
    /(?:消し|削除し)(?:た|まし|てお|とい)/u,
  ],
  send: [
    /(?:寄出|寄给|发送|发出|发给|发到|发过去|转发)[^,，。]{0,12}了/u,
    /(?:^|\bi(?:'ve| have)?(?: just| already| now)? |\band |\b(?:has|have) been )(?:sent|e-?mailed|mailed|forwarded)\b/u,
    /(?:送っ|送信し|転送し)(?:た|まし|てお|とい)|送りました/u,
  ],
  remind: [
    /(?:提醒|闹钟)[^,，。]{0,6}(?:设|定|改|加|建)好?了|(?:设|定|建|加)好?了?[^,，。]{0,6}(?:提醒|闹钟)/u,
    /\b(?:set|created|added|scheduled|changed|moved|cancelled|canceled) (?:a|an|the|your|that|another) (?:\w{1,12} )?reminder\b/u,
    /リマインダーを?(?:設定し|作っ|登録し|セットし|入れ)(?:た|まし|てお|とい)/u,
  ],
  run: [
    /(?:重启|安装|卸载|装|部署)(?:好|完|成功|完成)?了/u,
    /(?:^|\bi(?:'ve| have)?(?: just| already| now)? |\band |\b(?:has|have) been )(?:restarted|rebooted|installed|uninstalled|deployed)\b/u,
    /(?:再起動し|インストールし|デプロイし)(?:た|まし|てお|とい)/u,
  ],
};
const toThePerson = /[你您]|\byou\b|あなた|あんた/u;
const ofEarlier = /[删发寄装]过(?!去)|早就|先前|\bbefore\b|\bback then\b/u;
/** Deleting a line or a word is writing. */
const wholeFile = /文件|\bfiles?\b|ファイル|\.[a-z]{2,4}\b/u;

/** The kinds of what a clause says was done; none = every tool supports it. */
function listDeeds(clause: string): readonly Deed[] {
  if (ofEarlier.test(clause)) return [];
  // The words before 「的」 only qualify what follows.
  const said = clause.slice(clause.lastIndexOf("的") + 1);
  return (Object.keys(deedWords) as Deed[]).filter(
    (deed) => deedWords[deed].some((words) => words.test(said)) && !(deed === "send" && toThePerson.test(clause)),
  );
}

/** True where none of the tools can have done any of what a clause says. */
export function isBeyondTools(clause: string, tools: readonly string[]): boolean {
  const deeds = listDeeds(clause);
  return deeds.length > 0 && !deeds.some((deed) => tools.some((tool) => supportsDeed(tool, deed, clause)));
}

function supportsDeed(tool: string, deed: Deed, clause: string): boolean {
  if (tool === "file_write" && deed === "delete") return !wholeFile.test(clause);
  return deedsOfTools.get(tool)?.includes(deed) ?? true;
}
