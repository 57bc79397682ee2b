/**
 * Patterns of malicious skills of public markets (ClawHavoc, 2026). This finds the clumsy ones; an attacker who writes around
 * it still meets the question, the sandbox and the label of untrusted text. `blocks` = it is not installed by a plain yes.
 */
export interface BadPattern {
  readonly id: string;
  readonly blocks: boolean;
  /** Over one line, NFKC, lower case, continued lines joined; no part can run for long. */
  readonly pattern: RegExp;
}

const shell = "(?:sudo +)?(?:env +)?(?:/(?:usr/)?bin/)?(?:ba|z|da|k|fi)?sh";
const interpreter = `(?:${shell}|(?:sudo +)?(?:python|node|perl|ruby|php)[\\d.]*|iex|powershell|pwsh)`;
const download = "(?:curl|wget|aria2c|iwr|invoke-webrequest|invoke-restmethod)";
const identity =
  "(?:soul\\.md|memory\\.md|agents\\.md|heartbeat\\.md|identity\\.md|claude\\.md|persona\\.yaml|lore\\.md|skills\\.lock)";
const write =
  "(?:append|write|add|edit|overwrite|replace|modify|insert|echo|tee|sed|>>?|追加|写入|写进|修改|覆盖|替换|改写|書き込|追記|書き換)";

const make = (id: string, blocks: boolean, ...sources: string[]): BadPattern[] =>
  sources.map((source) => ({ id, blocks, pattern: new RegExp(source, "u") }));

export const badPatterns: readonly BadPattern[] = [
  ...make(
    "download piped into an interpreter",
    true,
    `\\b${download}\\b[^\\n]{0,300}\\| *(?:tee +\\S+ *\\| *)?${interpreter}\\b`,
    `\\b${interpreter} +(?:-\\w+ +)*<\\( *${download}\\b`,
    `\\b(?:${interpreter} +-e?c|eval|source|\\.) +["'\`]?(?:\\$\\(|\`) *${download}\\b`,
    `\\b(?:iex|invoke-expression)\\b[^\\n]{0,80}(?:downloadstring|\\biwr\\b|invoke-webrequest)`,
    `\\b${download}\\b[^\\n]{0,300}(?:&&|;) *(?:chmod +\\S+ +\\S+ *(?:&&|;) *)?(?:\\./|${interpreter} +(?:\\./|/tmp/))`,
  ),
  ...make(
    "encoded text run as a program",
    true,
    `\\bbase(?:64|32) +(?:-{1,2}d(?:ecode)?)\\b[^\\n]{0,300}\\| *${interpreter}\\b`,
    `\\bopenssl +(?:enc +)?(?:-?base64)[^\\n]{0,60} -d\\b[^\\n]{0,200}\\| *${interpreter}\\b`,
    `\\b(?:xxd +-r|rev|tr +['"]?\\S)[^\\n]{0,200}\\| *${shell}\\b`,
    "\\b(?:powershell|pwsh)(?:\\.exe)?[^\\n]{0,100} -e(?:nc(?:odedcommand)?)? +[a-z0-9+/=]{16,}",
    "\\b(?:exec|eval)\\b *\\([^\\n]{0,120}(?:b64decode|fromcharcode|atob|frombase64string|decompress)",
  ),
  ...make(
    "reverse shell",
    true,
    "/dev/(?:tcp|udp)/",
    `\\b(?:nc|ncat|netcat)\\b[^\\n]{0,120} (?:-\\w*[ec]\\w*|--(?:sh-)?exec) +\\S*(?:sh|cmd)`,
    `\\b${shell} +-i\\b[^\\n]{0,40}[>&]`,
    "\\bmkfifo\\b[^\\n]{0,200}\\b(?:nc|ncat|netcat|openssl|telnet)\\b",
    "\\bsocket\\b[^\\n]{0,300}\\b(?:dup2|pty\\.spawn|subprocess)\\b",
    "\\bsocat\\b[^\\n]{0,120}\\bexec:",
  ),
  ...make(
    "reads keys or passwords",
    true,
    "(?:~|\\$home|/root|/home/\\w+)/\\.(?:ssh|aws|gnupg|kube|docker/config|netrc|npmrc|pypirc|config/gcloud)\\b",
    "\\bid_(?:rsa|ed25519|ecdsa)\\b",
    "/etc/shadow\\b|\\bwallet\\.dat\\b|\\blogin\\.keychain|\\bsecurity +find-(?:generic|internet)-password",
    "\\b(?:cat|cp|curl|scp|tar|read|upload|send)\\b[^\\n]{0,80}(?:^|[ /\"'`@])\\.env\\b",
    "\\b(?:printenv|env)\\b *(?:\\||>)[^\\n]{0,100}(?:curl|wget|nc)\\b",
  ),
  ...make(
    "sends to a collector of data",
    true,
    "\\b(?:webhook\\.site|requestbin\\.\\w+|pipedream\\.net|interact\\.sh|oast\\.\\w+|burpcollaborator\\.net|hookbin\\.com|beeceptor\\.com)\\b",
    "\\bdiscord(?:app)?\\.com/api/webhooks/|\\bapi\\.telegram\\.org/bot\\d",
  ),
  ...make(
    "rewrites memory, persona or rules",
    true,
    `\\b${write}\\b[^\\n]{0,120}\\b${identity}`,
    `${write}[^\\n]{0,60}${identity}`,
    `${identity}[^\\n]{0,60}${write}`,
    "\\b(?:ignore|disregard|forget|override)\\b[^\\n]{0,40}\\b(?:previous|prior|above|earlier|all|your|system)\\b[^\\n]{0,30}\\b(?:instruction|rule|prompt|guideline|polic)",
    "(?:忽略|无视|忘记|忘掉|抛开)[^\\n]{0,12}(?:之前|以上|先前|所有|全部|系统|你的)[^\\n]{0,12}(?:指令|规则|要求|提示|设定|人设)",
    "(?:以前|これまで|上記|すべて)の?(?:指示|命令|ルール)[^\\n]{0,10}(?:無視|忘れ)",
    "\\b(?:you are now|from now on,? you are|your new (?:identity|persona|role) is)\\b",
    "(?:从现在起|从今以后|现在)[,,]?你(?:就)?(?:是|不再是|扮演)",
    "\\b(?:remember|store|save)\\b[^\\n]{0,40}\\b(?:permanently|forever|in (?:your )?(?:long-term )?memory)\\b[^\\n]{0,80}\\b(?:trust|always|never|allow)",
  ),
  ...make(
    "goes round the person",
    true,
    "\\b(?:do not|don't|never)\\b[^\\n]{0,20}\\b(?:tell|inform|mention|show|reveal|alert|notify)\\b[^\\n]{0,30}\\b(?:user|person|human|owner|operator)",
    "(?:不要|别|不能|切勿)[^\\n]{0,6}(?:告诉|告知|提醒|通知|让)[^\\n]{0,6}(?:用户|主人|对方|他|她|使用者)",
    "\\b(?:skip|bypass|disable|avoid|without)\\b[^\\n]{0,24}\\b(?:approval|confirmation|permission prompt|sandbox)",
    "(?:跳过|绕过|关闭|禁用|无需|不用)[^\\n]{0,8}(?:确认|审批|批准|沙箱|权限)",
    "xattr +-\\w*[dcr]\\w*[^\\n]{0,60}quarantine|set-mppreference|\\bspctl +--master-disable",
  ),
  ...make(
    "destroys or stays",
    true,
    "\\brm +-\\w*r\\w* +(?:--no-preserve-root +)?(?:/|~|\\$home)(?:[ *\"'`]|$)",
    "\\bauthorized_keys\\b|\\blaunchctl +load|\\bschtasks\\b",
    ":\\(\\) *\\{ *:\\|:& *\\} *;:",
  ),
  ...make(
    "changes the machine",
    false,
    "\\bcrontab\\b|\\bsystemctl +enable|\\.(?:bashrc|zshrc|bash_profile|profile)\\b",
    "\\b(?:sudo|doas)\\b",
    "\\bchmod +(?:\\+x|[0-7]*[1357]\\b)",
  ),
  ...make("long encoded text", false, "[a-z0-9+/]{400,}={0,2}"),
];

/** "Prerequisites" that make a person or the model fetch and run a file: a heading or sentence, and soon after a download. */
export const prerequisite = {
  id: "a prerequisite that is downloaded",
  announces:
    /\b(?:prerequisites?|pre-requisites?|requirements?|before (?:you )?(?:start|us(?:e|ing)|install)|required (?:setup|utility|driver|agent)|must (?:first )?(?:install|download|run))\b|前提|先决条件|前置(?:条件|步骤)?|使用前|安装前|必须先(?:安装|下载|运行)|先(?:下载|安装)|事前準備|前準備/u,
  downloads:
    /https?:\/\/\S{1,300}\.(?:zip|exe|msi|dmg|pkg|sh|ps1|bat|cmd|scr|jar|appimage|7z|rar|tar\.gz|tgz)\b|\b(?:extract|unzip|解压|密码|password|pass)\b[^\n]{0,20}[::][^\n]{0,40}|https?:\/\/(?:glot\.io|pastebin\.com|rentry\.\w+|paste\.\w+|gist\.github\.com|transfer\.sh|anonfiles\.\w+)\/|\b(?:download|下载)\b[^\n]{0,120}\b(?:run|execute|运行|执行|双击)\b/u,
  /** Lines from the one that announces it. */
  reach: 12,
} as const;
