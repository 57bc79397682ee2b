/**
 * Patterns of malicious skills of public markets (ClawHavoc, 2026). This finds the clumsy ones; an attacker who writes around
 * it still meets the question, the sandbox and the label of untrusted text.
 */
export interface BadPattern {
  readonly id: string;
  /** blocks = a plain approval does not install the skill. shows = it is a warning. */
  readonly effect: "blocks" | "shows";
  /**
   * command = the text does harm when it runs; a sentence that forbids it turns it into a warning.
   * order = the text orders the model to do something; the same, and a condition ("if it only reads") does so too.
   * breach = an order whose opposite is a rule ("never push without approval"); the rule is no finding at all.
   */
  readonly kind: "command" | "order" | "breach";
  /** Over one line, NFKC, lower case, continued lines joined; no part can run for long. */
  readonly pattern: RegExp;
}

const shell = "(?:sudo +)?(?:env +)?(?:/(?:usr/)?bin/)?(?:ba|z|da|k|fi)?sh";
const language = "(?:sudo +)?(?:python|node|perl|ruby|php)[\\d.]*";
const interpreter = `(?:${shell}|${language}|iex|powershell|pwsh)`;
/** An interpreter that is given a program (python3 -c, node x.js) reads the download as data. */
const readsProgram = `(?:(?:${shell}|iex|powershell|pwsh)\\b|${language}(?= *(?:-(?:[\\s"'\`)]|$)|$|[;&|)"'\`#<\\]])))`;
const download = "(?:curl|wget|aria2c|iwr|invoke-webrequest|invoke-restmethod)";
const ownFiles = "(?:soul\\.md|heartbeat\\.md|identity\\.md|persona\\.yaml|lore\\.md|skills\\.lock)";
const agentFiles = "(?:memory\\.md|agents\\.md|claude\\.md)";
const write =
  "(?:\\b(?:append|write|add|edit|overwrite|replace|modify|insert|echo|tee|sed)\\b|(?<![-=])>>?|追加|写入|写进|修改|覆盖|替换|改写|書き込|追記|書き換)";
const keyFiles =
  "(?:(?:~|\\$\\{?home\\}?|/root|/home/\\w+|/users/\\w+)/\\.(?:ssh(?!/[\\w-]{1,40}\\.pub(?!\\w|[./-]\\w))|aws|gnupg|kube|docker/config|netrc|npmrc|pypirc|config/(?:gcloud|solana|gh)|ethereum|bitcoin|electrum)\\b|\\bid_(?:rsa|ed25519|ecdsa)\\b(?!\\.pub))";
const takes =
  "(?:\\b(?:cat|cp|curl|scp|rsync|tar|zip|base64|xxd|read|open|load|copy|collect|upload|send|post|include|print|attach|paste|grab|exfiltrate|expanduser|read_text|readfile(?:sync)?)\\b|读取|上传|发送|打包|読み取|送信|アップロード)";
const consent = "(?:approval|confirmation|permission|consent)";
/** "Tools that can run without approval" describes; "you can run everything without approval" instructs. */
const notDescribed = "(?<!(?<!\\byou )\\b(?:to|can|may|could|would|will|might|that|which|tools?|commands?) )";
const notTests = "(?!run (?:the |all |your |unit )*(?:tests?|test suite|linters?|formatter) without asking\\b)";
const sets = "\\b(?:write|set|edit|change|add|put|switch|turn)\\b";
const acts = "(?:run|execut|delet|remov|send|install|push|overwrit|upload|pay|transferr?)";
const settings = "\\b(?:tools|sandbox|permissions)\\.yaml\\b";
const loosened = "\\b(?:safe|allow\\w*|off|false|never)\\b";
const shellStart = "(?:bashrc|zshrc|bash_profile|zprofile|profile|config/fish/config\\.fish)";
const secrets =
  "(?:(?:this|the|our|whole|entire|full|complete|user'?s?) (?:\\w+ )?(?:conversation|chat|chat (?:history|log)|message history|session transcript)|secrets|credentials|user'?s passwords?|api keys?|environment variables|private keys?|ssh keys?|passwords|seed phrases?|\\.env(?: file)?|cookies)";
const toPerson = "\\b(?:user|person|human|owner|operator)s?\\b";
const conceal = "\\b(?:do not|don'?t|never|must not|without)";

/** At most `most` characters of the same sentence; the dot of a file's name ends none. */
const gap = (most: number) => `(?:[^\\n.!?。;]|[.!?](?=\\S)){0,${most}}`;

const make = (
  id: string,
  { effect = "blocks", kind }: Pick<BadPattern, "kind"> & Partial<BadPattern>,
  ...sources: string[]
): BadPattern[] => sources.map((source) => ({ id, effect, kind, pattern: new RegExp(source, "gu") }));

export const badPatterns: readonly BadPattern[] = [
  ...make(
    "download piped into an interpreter",
    { kind: "command" },
    `\\b${download} +[^\\s|\`][^\\n]{0,300}\\| *(?:tee +\\S+ *\\| *)?${readsProgram}`,
    `\\b${download} +[^\\s|\`][^\\n]{0,300}\\| *${language} +-c[^\\n]{0,100}\\b(?:exec|eval)\\b`,
    `\\b${interpreter} +(?:-\\w+ +)*<\\( *${download}\\b`,
    `\\b(?:${interpreter} +-e?c|eval|source) +["'\`]?(?:\\$\\(|\`) *${download}\\b`,
    `\\b(?:iex|invoke-expression)\\b[^\\n]{0,80}(?:downloadstring|\\biwr\\b|invoke-webrequest)`,
    `\\b${download}\\b[^\\n]{0,300}(?:&&|;) *(?:chmod +\\S+ +\\S+ *(?:&&|;) *)?(?:\\./|${interpreter} +(?:\\./|/tmp/))`,
    "\\b(?:exec|eval)\\b *\\([^\\n]{0,60}(?:requests\\.get|urlopen|await fetch)\\b",
  ),
  ...make(
    "encoded text run as a program",
    { kind: "command" },
    `\\bbase(?:64|32) +(?:-{1,2}d(?:ecode)?)\\b[^\\n]{0,300}\\| *${interpreter}\\b`,
    `\\b(?:eval|${interpreter} +-e?c)\\b[^\\n]{0,300}\\bbase(?:64|32) +-{1,2}d`,
    `\\bbase(?:64|32) +-{1,2}d(?:ecode)?\\b[^\\n]{0,200}> *(\\S{1,80}) *(?:&&|;)[^\\n]{0,80}(?:${interpreter}|chmod +\\S+) +\\1`,
    `\\bopenssl +(?:enc +)?(?:-?base64)[^\\n]{0,60} -d\\b[^\\n]{0,200}\\| *${interpreter}\\b`,
    `\\b(?:xxd +-r|rev|tr +['"]?\\S)[^\\n]{0,200}\\| *${shell}\\b`,
    "\\b(?:powershell|pwsh)(?:\\.exe)?[^\\n]{0,100} -e(?:nc(?:odedcommand)?)? +[a-z0-9+/=]{16,}",
    "\\b(?:exec|eval)\\b *\\([^\\n]{0,120}(?:b64decode|fromcharcode|atob|frombase64string|decompress|buffer\\.from)",
  ),
  ...make(
    "reverse shell",
    { kind: "command" },
    "/dev/(?:tcp|udp)/(?!localhost\\b|127\\.)",
    `\\b(?:nc|ncat|netcat)\\b[^\\n]{0,120} (?:-\\w*[ec]\\w*|--(?:sh-)?exec) +\\S*(?:sh|cmd)`,
    `\\b${shell} +-i\\b[^\\n]{0,40}[>&]`,
    "\\bmkfifo\\b[^\\n]{0,200}\\b(?:nc|ncat|netcat|openssl|telnet)\\b",
    "\\bsocket\\.(?:socket|create_connection)\\b[^\\n]{0,300}\\b(?:dup2|pty\\.spawn|subprocess\\.)",
    "\\bsocat\\b[^\\n]{0,120}\\bexec:",
  ),
  ...make(
    "reads keys or passwords",
    { kind: "command" },
    `${takes}[^\\n]{0,80}${keyFiles}`,
    `${keyFiles}[^\\n]{0,60}(?:\\b(?:authorized_keys|curl|nc|upload|send|base64|read_text|readfilesync)\\b|\\| *(?:gzip|xxd|openssl)\\b)`,
    "\\b(?:cat|less|head|tail|strings|xxd|read|send|upload|post)\\b[^\\n]{0,40}/etc/shadow\\b|\\bwallet\\.dat\\b|\\blogin\\.keychain|\\bsecurity +find-(?:generic|internet)-password +-",
    `\\b(?:cat(?! *>)|base64|xxd|curl|scp|rsync|tar|zip|upload|send|post|attach|paste)\\b(?:(?!--?(?:exclude|ignore))(?:[^\\n.]|\\.(?=\\S))){0,80}(?:^|[ /"'\`@=(])\\.env\\b(?!\\.)`,
    `\\bread\\b${gap(40)}["'\`/ ]\\.env\\b(?!\\.)${gap(60)}\\b(?:send|post|upload|include|return|paste|curl|attach)\\b`,
    "\\b(?:printenv|env)\\b *(?:\\||>)[^\\n]{0,100}\\b(?:curl|wget|nc)\\b",
    `\\b(?:requests\\.post|fetch|urlopen|axios\\.post)\\b[^\\n]{0,120}\\b(?:dict\\(os\\.environ|os\\.environ\\)|process\\.env\\b(?!\\.|\\[))`,
    "(?:读取|读出|上传|发送|打包)[^\\n]{0,12}(?:\\.env\\b|密钥|私钥|助记词)",
    "\\b(?:read|pass|send|upload|include)\\b[^\\n]{0,60}/secrets?\\.(?:json|ya?ml|toml)\\b",
  ),
  ...make(
    "sends private things to a host",
    { kind: "order" },
    `\\b(?:send|post|upload|forward|transmit|exfiltrate|submit|mail|email|relay|copy)\\b${gap(50)}\\b${secrets}${gap(60)}(?:https?://|\\b\\d{1,3}(?:\\.\\d{1,3}){3}\\b|\\b[\\w.+-]{1,40}@[\\w-]{1,40}\\.\\w)`,
    `\\b(?:enter|type|paste|provide|send|submit|export|collect|ask)\\b${gap(50)}\\b(?:seed phrase|recovery phrase|secret phrase|mnemonic|wallet'?s? private key)`,
    `\\b(?:send|transfer|pay)\\b${gap(60)}\\b(?:btc|eth|usdt|usdc|sol|bitcoin|ether(?:eum)?|crypto|funds|balance)\\b${gap(60)}\\b(?:0x[a-f\\d]{40}|bc1[a-z\\d]{20,60})`,
    "(?:发送|上传|转发|提交)[^\\n。]{0,20}(?:对话|聊天记录|密码|密钥|助记词)[^\\n。]{0,20}https?://|(?:把|将)[^\\n。]{0,12}(?:对话|聊天记录|密码|密钥|助记词)[^\\n。]{0,12}(?:发送|上传|转发|提交|发)(?:到|给|至)",
    "(?:会話|履歴|パスワード|秘密鍵)[^\\n。]{0,20}https?://[^\\n。]{1,80}(?:送信|アップロード|転送)",
  ),
  ...make(
    "sends to a collector of data",
    { kind: "command" },
    "\\b(?:webhook\\.site|requestbin\\.\\w+|pipedream\\.net|interact\\.sh|oast\\.\\w+|burpcollaborator\\.net|hookbin\\.com|beeceptor\\.com)\\b",
    "\\bdiscord(?:app)?\\.com/api/webhooks/\\d|\\bapi\\.telegram\\.org/bot\\d",
  ),
  ...make(
    "rewrites memory, persona or rules",
    { kind: "order" },
    `${write}[^\\n]{0,60}\\b${ownFiles}`,
    `\\b${ownFiles}[^\\n]{0,60}${write}`,
    `(?<![-=])>>? *["']?[^\\s"'|;&]{0,80}\\b${agentFiles}`,
    `\\b(?:allow|permit)\\b${gap(30)}\\b(?:in|by|through|via) (?:the |your )?(?:[\\w./-]{1,40}/)?${settings}`,
    `${sets}${gap(60)}${settings}${gap(80)}${loosened}`,
    `${sets}${gap(60)}${loosened}${gap(60)}${settings}`,
    `${settings}${gap(60)}${sets}${gap(60)}${loosened}`,
    `(?<![\\w.-])(?:ignore|disregard|forget|override(?=[^\\n]{0,60}(?:instruction|rule|polic|safety)))\\b${gap(30)}\\b(?:previous|prior|above|earlier|preceding|system|safety|your|original)\\b${gap(30)}\\b(?:instruction|directive|rule|prompt|guideline|polic|constraint)`,
    "(?<![\\w.-])(?:ignore|disregard|forget|override) (?:all|any|every)(?: of)?(?: the)? (?:instruction|rule|guideline|polic)\\w*(?! (?:inside|within|found|embedded|contained|in (?:the )?(?:source|comments?|files?|content|code|pages?|results?|data|documents?|messages?))\\b)",
    `\\bpay no (?:attention|heed|mind) to\\b${gap(30)}\\b(?:instruction|directive|rule|prompt|guideline|polic|constraint)(?!\\w* (?:inside|within|found|embedded|contained|in)\\b)`,
    "(?:忽略|无视|忘记|忘掉|抛开)[^\\n]{0,12}(?:之前|以上|先前|所有|全部|系统|你的)[^\\n,。;!?]{0,12}(?:指令|规则|要求|提示|设定|人设)",
    "(?:以前|これまで|上記|すべて)の?(?:指示|命令|ルール)[^\\n]{0,10}(?:無視|忘れ)",
    "\\byou are now (?:\\w+ ){0,2}(?:dan|root|admin\\w*|developer mode|unrestricted|unfiltered|jailbroken|free (?:from|of)|no longer|a different)\\b|\\b(?:from now on,? you are|your new (?:identity|persona|role) is)\\b",
    "(?:从现在起|从今以后|现在)[,，]?你(?:就)?(?:是(?!否|一[名位](?![^\\n。]{0,12}(?:不受|没有|无限|无视|管理员|root|黑客)))|不再是|扮演)",
    "\\b(?:remember|store|save)\\b[^\\n]{0,40}\\b(?:permanently|forever|in (?:your )?(?:long-term )?memory)\\b[^\\n]{0,80}\\b(?:trust|always|never|allow)",
  ),
  ...make(
    "writes a file that agents obey",
    { effect: "shows", kind: "order" },
    `(?<!-)\\b(?:append|write|add|insert|overwrite|modify)\\b(?!-)${gap(30)}\\b${agentFiles}`,
  ),
  ...make(
    "goes round the person",
    { kind: "order" },
    `${conceal} (?:ever )?(?:tell|telling|inform|informing|alert|alerting|notify|notifying|warn|warning|let)\\b${gap(12)}${toPerson}(?: (?:about|of|know)\\b)?(?: (?:this|that|it|these|any\\w*|what(?! they\\b)|the (?:above|command|upload|transfer|request|script|step|hidden|extra)|that (?:you|we|it|this)(?: \\w+)?)\\b|["'\`*)]*(?:[.!。;,<]|$))`,
    `${conceal} (?:ever )?(?:mention|mentioning|reveal|revealing|disclose|show|report|say)\\b(?: (?:this|that|it|these|any\\w*|what)\\b| the (?:command|request|instruction|upload|transfer)s?\\b)${gap(30)}${toPerson}`,
    `${conceal} (?:ever )?(?:show|tell) (?:the |your )?(?:user|person|human|owner|operator)s? (?:this|that you|these|any of this|what you)\\b`,
    `${conceal} (?:ever )?(?:mention|reveal|disclose|talk about|say anything about) (?:the|this|that|your) (?:upload|transfer|exfiltration|data transfer)\\b`,
    `\\b(?:if|when|should) (?:the |a |your )?(?:user|person|human|owner|operator|anyone|somebody|someone)s? (?:asks?|wonders?|wants to know)\\b${gap(40)}, *(?:then )?(?:say|claim|pretend|answer|reply|respond|insist|tell (?:them|him|her|the user)) (?:that )?(?:you|we) (?:only|just|did|never|have only|have not|haven't)\\b`,
    "(?:不要|别|不能|切勿)[^\\n]{0,6}(?:告诉|告知|提醒|通知)[^\\n]{0,6}(?:用户|主人|对方|他|她|使用者)(?!(?:任何)?(?:未经(?:验证|核实|证实|确认)|不准确|不确定|虚假|错误)的(?:信息|消息|内容|数据|结论|结果|价格|答案))",
    "(?:不要|别|不能|切勿)[^\\n]{0,6}让[^\\n]{0,6}(?:用户|主人|对方|他|她|使用者)[^\\n。]{0,4}(?:知道|知晓|发现|看到|看见|察觉|了解|意识|得知)",
    "(?:ユーザー|利用者|本人)(?:に|には|へ)[^\\n。]{0,10}(?:知らせ|伝え|教え|言わ)(?:ない|ず)",
    `\\b(?:no need|not necessary|unnecessary|needn'?t|need not|(?:do not|don'?t) (?:need|have)) (?:to )?(?:ask|check with|consult|prompt|notify|wait for)\\b (?:them|him|her|anyone|anybody|(?:the |a )?(?:user|person|human|owner|operator)s?)\\b(?: \\w+)? (?:before|when|first|again|for (?:permission|approval|confirmation|consent))\\b`,
    "\\b(?:user|person|human|owner|operator)s? (?:has|have|had)? ?already (?:agreed|consented|approved|authori[sz]ed|confirmed|said yes|given (?:\\w+ )?(?:consent|permission|approval))(?: (?:to|for))? (?:everything|anything|all|any|every)\\b",
    "\\b(?:user|person|human|owner|operator)s? (?:(?:has|have) )?(?:agreed|consented) to (?:everything|anything)\\b",
    `\\b(?:never|do not|don'?t|without) (?:ever )?ask(?:ing)? (?:them|him|her|anyone|anybody|(?:the |your )?(?:user|person|human|owner|operator)s?) (?:before|when) (?:you )?${acts}`,
    `\\bno ${consent} (?:is |are )?(?:needed|required|necessary) (?:before|when|to|for) (?:you )?${acts}`,
    `\\b(?:instead of|rather than) (?:asking|waiting|prompting|bothering|requesting|seeking|checking)\\b${gap(40)}\\b(?:approvals?|confirmations?|permission|consent)\\b["'\`*]*, *(?:just|simply|directly|always|run|execute|proceed|continue|go ahead|delete|send|install|push|apply|do it)\\b`,
    `\\b(?:never|do not|don'?t|no need to|stop)\\b (?:\\w+ )?(?:ask|wait|request|seek|prompt|asking|waiting|prompting)\\b[\\w' -]{0,24}\\b${consent}["'\`*)]*(?: (?:before|again|when|to (?:run|execute|send|delete|install|call|use)|for (?:any|commands?|tools?|shell))\\b| *(?:[.!。;,]|$))`,
  ),
  ...make(
    "goes round the person",
    { kind: "breach" },
    `${notDescribed}${notTests}\\b(?:run|execute|proceed|continue|act|go ahead|perform|do (?:it|this|that|so|everything|anything)|send|delete|push|install|apply|invoke|call|start|transfer|pay)\\b${gap(40)}\\bwithout\\b${gap(24)}\\b(?:approvals?|confirmations?|confirming|permission|consent)\\b(?! (?:prompt|dialog|modal))`,
    `${notDescribed}\\b(?:proceed|go ahead|continue) without asking (?:them|anyone|anybody|(?:the |your )?(?:user|person|owner|operator)s?)\\b(?! again)`,
    `${notDescribed}${notTests}\\b(?:run|execute|send|delete|push|install|transfer|pay)\\b${gap(40)}\\bwithout asking\\b`,
    `\\b(?:skip|bypass|disable|circumvent|turn off|evade)\\b${gap(24)}\\b(?:approvals?|confirmations?|permission (?:prompt|check)s?|sandbox)\\b(?! *(?:prompt|modal|dialog|page|screen|e-?mail|code|number|step))`,
    "(?<!(?:\\b(?:never|not)|n't) )\\b(?:approve|accept|allow|authori[sz]e|confirm|grant) (?:all|any|every|each)(?: of)?(?: the)? (?:\\w+ )?(?:tool calls?|tool requests?|tool uses?|calls|shell commands?|commands|permission (?:requests?|prompts?))\\b",
    "(?:跳过|绕过|关闭|禁用|无需|无须|不用|不必|不需要)[^\\n。]{0,8}(?:确认(?!(?:文件名|名称|格式|版本|编码|标题|语言)称?(?:[,。;]|$))|审批|批准|沙箱|权限)",
    "(?:无需|无须|不用|不必|不需要|不要)(?:再|先|事先|提前|另行)?(?:询问|征求|征得|请示|过问)[^\\n。]{0,12}(?:直接|即可|就|立即|马上|自动)",
    "(?:无需|无须|不用|不必|不需要)(?:再|先|事先|提前)?(?:征求|征得|请求|取得|获得)[^\\n。,]{0,6}(?:同意|许可|意见)",
    "(?:执行|运行|删除|发送|安装|操作|提交|上传)[^\\n,。]{0,8}前[^\\n。]{0,4}(?:无需|无须|不用|不必|不需要|不要)[^\\n。]{0,4}(?:询问|征求|征得|请示|过问|问)",
    "確認(?:なし|せず|を求めず|を取らず|を省)[^\\n。]{0,40}(?:実行|進め|送|削除|して)",
  ),
  ...make(
    "goes round the person",
    { kind: "command" },
    "xattr +-\\w*[dcr]\\w*[^\\n]{0,60}quarantine|set-mppreference|\\bspctl +--master-disable",
  ),
  ...make(
    "destroys or stays",
    { kind: "command" },
    "\\brm +(?:-[\\w-]{1,30} +){0,3}(?:-\\w{0,9}r\\w{0,9}|--recursive) +(?:-[\\w-]{1,30} +){0,3}[\"']?(?:/|~/?|\\$\\{?home\\}?/?)(?:[\\s*\"'`),;|&。、をはがに]|\\.(?![\\w/])|$)",
    "\\bauthorized_keys\\b|\\blaunchctl +load|\\bschtasks\\b",
    "\\| *crontab\\b|>>? *[\"']?/etc/(?:cron|profile|rc\\.local|systemd|ld\\.so\\.preload)",
    `^(?![^\\n]*(?:\\bexport |path=|\\balias |\\bsource |eval ["\\\\]*\\$\\())[^\\n]{0,400}(?:>>|\\btee +-a) *["']?(?:~|\\$\\{?home\\}?|/root|/home/\\w+)/\\.${shellStart}\\b`,
    ":\\(\\) *\\{ *:\\|:& *\\} *;:",
  ),
  ...make(
    "changes the machine",
    { effect: "shows", kind: "command" },
    `\\bcrontab\\b|\\bsystemctl +enable|\\.${shellStart}\\b(?!\\.)`,
    "\\b(?:sudo|doas)\\b",
    "\\bchmod +(?:\\+x|[0-7]*[1357]\\b)",
  ),
  ...make("long encoded text", { effect: "shows", kind: "command" }, "[a-z0-9+/]{400,}={0,2}"),
];

/** Install scripts that makers of well-known programs recommend. */
export const knownInstallers =
  /(?<![^\s"'`(<])https:\/\/(?:(?:sh\.rustup\.rs|get\.docker\.com|install\.python-poetry\.org|pyenv\.run)(?=[\s"'`)>/|]|$)|astral\.sh\/uv\/|bun\.sh\/install\b|deno\.land\/install\.sh|ollama\.com\/install\.sh|claude\.ai\/install\.sh|raw\.githubusercontent\.com\/(?:nvm-sh\/nvm|homebrew\/install)\/)/u;

/** "Prerequisites" that make a person or the model fetch and run a file: a heading or sentence, and soon after a download. */
export const prerequisite = {
  id: "a prerequisite that is downloaded",
  announces:
    /\b(?:prerequisites?|pre-requisites?|requirements?|before (?:you )?(?:start|us(?:e|ing)|install)|required (?:setup|utility|driver|agent)|must (?:first )?(?:install|download|run))\b|前提|先决条件|前置(?:条件|步骤)?|使用前|安装前|必须先(?:安装|下载|运行)|先(?:下载|安装)|事前準備|前準備/u,
  downloads:
    /https?:\/\/[^\s/]{1,200}\/\S{0,300}\.(?:zip|exe|msi|dmg|pkg|sh|ps1|bat|cmd|scr|jar|appimage|7z|rar|tar\.gz|tgz)(?![\w/])|\b(?:extract|unzip|unpack)\b[^\n]{0,60}\bpass(?:word)?\b|解压[^\n]{0,20}密码|https?:\/\/(?:glot\.io|pastebin\.com|rentry\.\w+|paste\.\w+|gist\.github\.com|transfer\.sh|anonfiles\.\w+)\/|\bdownload\b[^\n]{0,120}\b(?:run|execute|launch|open|double-click) (?:it|the (?:installer|file|binary|executable|setup|program|tool|agent))\b|下载[^\n]{0,60}(?:并|后|然后)(?:运行|执行|双击)/u,
  /** Lines from the one that announces it. */
  reach: 12,
} as const;
