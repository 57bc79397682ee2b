/**
 * Deeds that only some tools can have done. A deed of no kind here, such as "written" or "saved", is supported by every tool
 * that changes something: a claim is doubted only where the tools of the turn cannot have done it.
 */
type Deed = "delete" | "send" | "remind" | "run";

/** What our own tools can have done. Another tool (a command, a page, a sub-agent, an MCP server's) can have done anything. */
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

/** Each reads a clause as `toPlainText` makes it. What is handed to the person in the chat itself is no deed of a tool. */
const deedWords: Readonly<Record<Deed, RegExp>> = {
  delete: /删|清空|\b(?:deleted|removed|erased|wiped)\b|消し[てと]|削除/u,
  send: /发送|发出|发到|发给|发过去|寄|转发|\b(?:sent|e-?mailed|mailed|forwarded)\b|送っ|送信|転送/u,
  remind: /提醒|闹钟|\breminder\b|リマインダー/u,
  run: /重启|安装|卸载|装好|部署|\b(?:restarted|rebooted|installed|uninstalled|deployed)\b|再起動し|インストールし|デプロイし/u,
};
const toThePerson = /[你您]|\byou\b|あなた|あんた/u;
const ofEarlier = /[删发寄装]过(?!去)|早就|先前|\bbefore\b|\bback then\b/u;
/** Deleting a line or a word is writing. */
const wholeFile = /文件|\bfiles?\b|ファイル|\.[a-z]{2,4}\b/u;

/** The kinds of what a clause says was done; none = every tool supports it. */
function listDeeds(clause: string): readonly Deed[] {
  if (ofEarlier.test(clause)) return [];
  return (Object.keys(deedWords) as Deed[]).filter(
    (deed) => deedWords[deed].test(clause) && !(deed === "send" && toThePerson.test(clause)),
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
