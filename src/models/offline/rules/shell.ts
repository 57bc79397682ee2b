import { call, takeOffCourtesies } from "../rule.ts";
import type { Found, Rule } from "../rule.ts";

const run: Rule = {
  kind: "act",
  forms: [
    /^\$\s+(?<line>[^\n]+)/,
    /(?:运行|執行|执行|運行|跑)(?:一下|下|一遍|一次|这条|这个|以下|命令|指令|脚本|[:：\s])*(?<command>B|[^，。；！？\n]+)/,
    /^(?:run|execute)\s+(?:(?:the|this)\s+(?:following\s+)?(?:shell\s+|bash\s+)?(?:command|script)\s*)?[:：]?\s*(?<command>B|Q|[^\n。，]+)/,
    /(?<command>Q|[\x20-\x7e]{1,300}?)\s*を\s*(?:実行|走らせ|動かし)(?!し?ない|しちゃ|した|するな|禁止|中)/,
    /実行(?:して)?[:：]\s*(?<command>B|[^\n]+)/,
    // A command line that is typed as it is.
    /^(?<line>(?:ls|pwd|whoami|uname|df|du|free|ps|cat|head|tail|wc|echo|git|python3?|bash|sh|mkdir|cp|mv|touch|tree|curl|jq|sed|awk|grep)(?: [\x20-\x7e]+)?)$/,
  ],
  read(found) {
    const typed = found.part("line");
    const command = typed === "" ? readCommand(found.part("command")) : typed;
    if (command === undefined || (typed !== "" && isProse(typed))) return undefined;
    return call("shell", { command: runFile(command) });
  },
};

const question = /怎么|怎样|什么|为何|会不会|吗\s*$/;
const tail =
  /[\s，。！？!,]{0,5}(?:看看|看一下|给我看|试试|吧|呗|好吗|可以吗|行吗|谢谢|please|thanks|thank you|for me|お願い|\s(?:and|,) (?:tell|show) me.{0,40})[\s，。！？!.]{0,5}$/i;
/** "run away", "run the tests": words that start no command. */
const proseStart =
  /^(?:now|away|out|late|into|for|errands|every|everything|a|an|the|this|that|it|them|fast|faster|along|around|home|some|any|of|over|through|my|your|our|and|or|to|me|like|git)$/i;

/** "git is hard", "cat people", "free tonight". */
const isProse = (typed: string): boolean =>
  /^(?:git|cat|free|head|tail|echo|sh|touch|tree) (?:is|are|was|people|person|tonight|today|me|my|the|a|i|you)\b|^grep [^-].* in /i.test(
    typed,
  ) || typed.endsWith("?");

function readCommand(written: string): string | undefined {
  let command = written.trim();
  for (let left = 8; left > 0 && tail.test(command.slice(-60)); left -= 1)
    command = (command.slice(0, -60) + command.slice(-60).replace(tail, "")).trim();
  command = command.replace(/(?<=[\w)'"])[.?!]{1,5}$/, "").trim();
  // 「`df -h`，谢谢」 and "`ls` please": what is quoted at the beginning is all of it.
  const quoted = /^[`「『“]([^`」』”]+)[`」』”](?=$|\s|[^\x20-\x7e])/.exec(command)?.[1];
  if (quoted !== undefined) return quoted.trim() === "" ? undefined : quoted.trim();
  const first = command.split(/\s/, 1)[0] ?? "";
  // A command begins with a word of ASCII; 「跑步」 and 「运行速度」 are talk.
  if (!/^[A-Za-z_./~$({["'!][\x21-\x7e]*$/.test(first)) return undefined;
  if (first !== "git" && proseStart.test(first)) return undefined;
  return question.test(command.replaceAll(/"[^"]*"|'[^']*'/g, "")) ? undefined : command;
}

const interpreters: Readonly<Record<string, string>> = { py: "python3", sh: "bash", js: "node", mjs: "node" };

/** 「跑一下 hello.py」 names a script, not a program. */
function runFile(command: string): string {
  const ending = /^[\w\u0080-\uffff./-]+\.(py|sh|m?js)$/.exec(command)?.[1];
  return ending === undefined ? command : `${interpreters[ending] ?? ""} ${quote(command)}`;
}

/** Questions about a machine and a repository, and the command that answers each. */
const questions: readonly (readonly [command: string, form: RegExp])[] = [
  [
    "df -h .",
    /磁盘|硬盘|磁碟|盘(?:还有|还剩|空间)|存储空间|剩余空间|\bdisk\b|(?:free|storage) space|space (?:is )?left|ディスク|空き容量|ストレージ/,
  ],
  [
    "free -h",
    /内存(?:用|占|还|够|多少|情况|剩)|(?:多少|看看|看一下|剩余)内存|\bmemory (?:usage|left|is free)|how much (?:ram|memory)|free (?:ram|memory)|メモリ(?:は|の|を|使用|ー)/,
  ],
  [
    "git status --short --branch",
    /git\s*(?:的|仓库)?\s*(?:当前|现在)?的?\s*状态|仓库(?:的|现在)?状态|\bgit status\b|status of (?:the|my) (?:git )?repo|git\s*の\s*(?:状態|ステータス)|リポジトリの状態/,
  ],
  [
    "git log --oneline -10",
    /(?:最近|最新)(?:的|几次|几个|几条)*(?:提交|commit)|提交(?:记录|历史|日志)|git\s*(?:log|日志|历史|记录)|(?:last|recent|latest) (?:\w+ )?commits?|commit (?:history|log)|(?:最近|最新)の?コミット|コミット(?:履歴|ログ|一覧)/,
  ],
  [
    "git diff",
    /git.{0,8}(?:改了|改动|变更|差异|diff)|有(?:什么|哪些)(?:代码)?改动|\bgit diff\b|what (?:has )?changed in (?:the|my) repo|git.{0,6}(?:差分|変更)/,
  ],
  [
    "git branch -a",
    /git.{0,6}分支|有(?:哪些|什么)分支|(?:list|show|which) (?:\w+ )?(?:git )?branch(?:es)?|ブランチ(?:一覧|を見せ|は)/,
  ],
  [
    "uname -a",
    /系统(?:信息|版本)|内核版本|什么系统|kernel version|system info|what (?:os|system) |カーネル|システム情報/,
  ],
  [
    "ps aux",
    /有(?:哪些|什么)进程|进程列表|在跑(?:哪些|什么)(?:程序|进程)|running processes|list (?:the )?processes|プロセス一覧/,
  ],
  ["python3 --version", /python\s*(?:是)?(?:什么|哪个)?版本|python version|version of python|python\s*のバージョン/],
  ["pwd", /当前(?:目录|路径)是|我在哪个目录|which directory|current directory (?:is|\?)|今どのディレクトリ/],
  [
    "du -sh .",
    /(?:工作区|目录|文件夹)(?:一共|总共)?(?:占|用)?(?:了)?(?:有)?多大|how big is (?:the|my) (?:workspace|folder|directory)/,
  ],
];

const ask: Rule = {
  kind: "look",
  forms: questions.map(([, form]) => form),
  read({ clause, words }) {
    const command = questions.find(([, form]) => form.test(words))?.[0];
    // Talk about a disk is no question about this one.
    const asks =
      /看|查|多少|多大|够|剩|几|状态|提交|哪些|什么|列|显示|版本|信息|进程|分支|改|how|check|show|what|which|list|status|left|git|commits?|processes|version|[?？]|どれ|いくら|見|教|状態|空き|一覧|は$|やば|コミット|差分/;
    const wonders = /为什么|为啥|怎么|\bwhy\b|なぜ|どうして/;
    return command !== undefined && asks.test(clause.text) && !wonders.test(clause.text)
      ? call("shell", { command })
      : undefined;
  },
};

const moves: Rule = {
  kind: "act",
  forms: [
    /F\s*(?:重命名|改名|更名|重新命名)(?:为|成|叫|到)?\s*(?<to>F|[\w.-]+)|F\s*(?:的)?(?:名字|文件名)改(?:为|成)\s*(?<to2>F|[\w.-]+)|F\s*改(?:成|为)\s*(?<to3>F)/,
    /(?:移动|移|挪|剪切)\s*F\s*到\s*(?<to>F|[\w./-]+)|F\s*(?:移动|移|挪)到\s*(?<to2>F|[\w./-]+)/,
    /^(?:rename|move)\s+(?:the file )?F\s+(?:to|into|as)\s+(?:the )?(?<to>F|[\w./-]+)/,
    /F\s*(?:の名前)?を\s*(?<to>F|[\w./-]+)\s*(?:に|へ)(?:改名|リネーム|移動|変え|変更)/,
  ],
  read: (found) => moveFile(found, "mv -n"),
};

const copies: Rule = {
  kind: "act",
  forms: [
    /(?:复制|拷贝|备份|複製)(?:一份|一下)?\s*F\s*(?:到|成|为)\s*(?<to>F|[\w./-]+)|F\s*(?:复制|拷贝|备份)(?:一份)?(?:到|成|为)\s*(?<to2>F|[\w./-]+)/,
    /^copy\s+(?:the file )?F\s+(?:to|into|as)\s+(?:the )?(?<to>F|[\w./-]+)/,
    /F\s*を\s*(?<to>F|[\w./-]+)\s*(?:に|へ)コピー/,
  ],
  read: (found) => moveFile(found, "cp"),
};

function moveFile(found: Found, program: string) {
  const from = found.named("F");
  const to = takeOffCourtesies(found.part("to") || found.part("to2") || found.part("to3"));
  return from === undefined || to === "" || from === to
    ? undefined
    : call("shell", { command: `${program} ${quote(from)} ${quote(to)}` });
}

const folder: Rule = {
  kind: "act",
  forms: [
    /(?:新建|创建|建立|建)(?:一个|个)?(?:新的?)?(?:文件夹|目录|資料夾)(?:叫做?|名为|名叫)?\s*(?<name>Q|F|[\w.\u4e00-\u9fff-]+)/,
    /(?:新建|创建|建立|建)(?:一个|个)?(?:叫做?|名为)?\s*(?<name>Q|F|[\w.-]+)\s*的?(?:文件夹|目录)/,
    /^(?:create|make|new)\s+(?:me )?(?:a |the )?(?:new )?(?:folder|directory)\s+(?:called |named )?(?<name>Q|F|[\w.-]+)/,
    /(?<name>Q|F|[\w.-]+)\s*(?:という|って)?(?:名前の)?(?:フォルダー?|ディレクトリ)を(?:作|新規)/,
  ],
  read(found) {
    const name = takeOffCourtesies(found.part("name"));
    return name === "" ? undefined : call("shell", { command: `mkdir -p ${quote(name)}` });
  },
};

/** A single word for the shell; one that begins with - would be an option. */
function quote(name: string): string {
  const safe = name.startsWith("-") ? `./${name}` : name;
  return /^[\w./@%+=:,-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", String.raw`'\''`)}'`;
}

export const shellRules: readonly Rule[] = [run, moves, copies, folder, ask];
