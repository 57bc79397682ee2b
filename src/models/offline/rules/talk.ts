import type { PhraseKey } from "../phrase-keys.ts";
import { say } from "../rule.ts";
import type { Rule, Wish } from "../rule.ts";

/** Requests she cannot do: she says so in one line instead of doing something else. */
export const missingRules: readonly Rule[] = [
  {
    kind: "ask",
    forms: [
      /翻译(?!.{0,20}F)|译成|写(?:一)?(?:首|篇|段|封)|编(?:一)?个故事|润色|\btranslate\b(?!.{0,20}[FU])|^write (?:me )?(?:a |an )?(?:poem|story|essay|email|song|letter|haiku)|翻訳して(?!.*F)|(?:詩|物語|作文|小説)を(?:書|作)/,
    ],
    read: () => say("question"),
  },
];

/** The kinds of talk, most specific first. `within` = only when the whole message is at most this long. */
const topics: readonly (readonly [key: PhraseKey, within: number, words: RegExp])[] = [
  // The words of an answer come here only when no question is open.
  ["nothingOpen", 12, /^(?:确认(?:执行)?|確認|取消|承認|キャンセル|confirm|approve|cancel|reject)[。！!.]?$/i],
  [
    "noted",
    60,
    /^(?:先)?(?:不用|别|不要|不必|不许)(?:再|去)?(?:删|改|写|发|运行|执行|跑|读|打开|搜|把|给|动)|\b(?:don[’']?t|do not|no need to|never) (?:delete|remove|send|run|write|edit|change|open|read|touch)\b|(?:消さ|送ら|実行し|書か|変え|読ま|触ら)な(?:いで|くていい)/,
  ],
  [
    "help",
    60,
    /你(?:都)?(?:会|能|可以)(?:帮我)?(?:做|干|弄)?(?:些)?(?:什么|啥|哪些|干嘛|干吗)|(?:能|会|可以)帮?我?(?:做(?:什么|啥)|干(?:嘛|吗|什么|啥))|怎么用你?|^帮助[。！!]?$|有什么(?:功能|工具|本事)|有哪些(?:工具|功能)|你有(?:什么|啥)用|使用说明|\/help|^help\b|what (?:can|do) you (?:do|know how)|what are you (?:able|capable)|how do i use you|what tools|何が?でき|できること|使い方|ヘルプ/,
  ],
  [
    "nothingToContinue",
    12,
    /^(?:请|你)?(?:继续|接着)(?:说|讲|做|来)?(?:吧|啊|呀)?[。！!~～]?$|^(?:please )?(?:go on|continue|carry on|keep going)[.!]?$|^(?:続けて|続き)(?:ください|を)?[。！!]?$/,
  ],
  [
    "choosePersona",
    40,
    /(?:换|切换|更换|改|选).{0,8}(?:人设|人格|角色)|(?:人设|人格|角色).{0,6}(?:换|切换|改|选)|\b(?:change|switch|choose|swap|pick)\b.{0,20}\b(?:persona|personality|character)\b|(?:ペルソナ|人格|キャラ).{0,6}(?:変え|切り替え|選)/,
  ],
  [
    "connectPlatform",
    40,
    /(?:怎么|怎样|如何|咋|想|要|能|可以|帮我|给你).{0,6}(?:接|连|绑|登录|加).{0,6}(?:qq|telegram|tg|电报|微信|聊天软件)|(?:qq|telegram|tg|电报|微信|聊天软件).{0,4}(?:怎么|怎样|如何|咋).{0,4}(?:接|连|绑|登录|加|用)|\b(?:connect|set ?up|link|add)\b.{0,20}\b(?:telegram|qq|wechat|chat app)\b|(?:telegram|qq|チャットアプリ).{0,6}(?:つな|接続|設定)/,
  ],
  [
    "connectModel",
    40,
    /(?:怎么|怎样|如何|咋|想|要|能|可以|帮我|给你).{0,6}(?:接|连|换|配|设).{0,8}(?:模型|gpt|deepseek|openai|claude|ollama|gemini|qwen)|模型.{0,4}(?:怎么|怎样|如何|咋).{0,4}(?:接|连|换|配|设)|\b(?:connect|set ?up|add|use)\b.{0,20}\b(?:model|llm|openai|ollama|claude|deepseek)\b|モデル.{0,6}(?:つな|接続|設定)/,
  ],
  [
    "robot",
    50,
    /机器人|(?:你|您)(?:是|不是|真是|其实是)*.{0,4}(?:ai|人工智能|真人|程序|语言模型|chatgpt|gpt)|(?:什么|哪个|啥)模型|\b(?:robot|bot|an ai|a human|real person|language model|chatgpt|what model|which model)\b|are you (?:ai|human|real)|ロボット|ボットな|aiなの|aiです|aiでしょ|人間なの|人間です|何のモデル/,
  ],
  [
    "nickname",
    20,
    /克里斯蒂[娜纳]|christina|クリスティーナ|助手|助教|\bassistant\b|天才少女|蒙布朗|^实验体|セレセブ|栗悟飯|ザ・?ゾンビ/,
  ],
  [
    "howTo",
    80,
    /(?:怎么|如何|怎样|咋).{0,16}(?:删|读|写|改|发|运行|打开|搜|查|找|建|列|文件|命令|待办)|how (?:do|can|would|should|to)\b.{0,30}(?:delete|remove|read|write|edit|change|send|run|open|search|find|list|file|command|todo)|(?:消す|読む|書く|送る|実行する|開く|探す).{0,8}(?:どう|方法)/,
  ],
  [
    "identity",
    40,
    /你(?:是|到底是)谁|你叫(?:什么|啥)|你(?:是)?什么人|介绍一下你?自己|自我介绍|who are you|what are you|your name|introduce yourself|誰(?:です|なの|だ|？|\?)|あなたは誰|名前は|自己紹介/,
  ],
  [
    "joke",
    40,
    /笑话|讲个?(?:笑|冷|段子)|好笑的|逗我|\bjokes?\b|make me laugh|something funny|冗談|ジョーク|面白い(?:話|こと)|笑わせて/,
  ],
  [
    "love",
    30,
    /(?:喜欢|爱)(?:上)?你|做我(?:女|男)朋友|嫁给我|和我交往|\bi (?:really )?(?:love|like) you\b|marry me|be my girlfriend|好き(?:だ|です|だよ|$|！|!)|大好き|愛してる|付き合って|結婚して/,
  ],
  [
    "sad",
    60,
    /难过|伤心|想哭|哭了|难受|心情(?:不好|很差|好差|糟)|郁闷|崩溃|失恋|被骂|压力(?:好|很|太)?大|孤独|好烦|绝望|\b(?:sad|depressed|heartbroken|lonely|unhappy|miserable|crying|feel(?:ing)? (?:down|bad|awful|terrible))\b|悲しい|つらい|辛い|泣きたい|落ち込|寂しい|しんどい/,
  ],
  [
    "tired",
    40,
    /累(?:死|了|坏|啊|惨)|好累|很累|太累|困(?:死|了)|好困|睡不着|熬夜|\b(?:tired|exhausted|sleepy|worn out|can'?t sleep|insomnia)\b|疲れ|眠い|眠れない|くたくた/,
  ],
  ["bored", 30, /无聊|好闲|没事干|没事做|\bbored\b|boring|nothing to do|暇(?:だ|です|$|な)|退屈|つまらない/],
  [
    "hungry",
    30,
    /饿(?:了|死|坏)|好饿|吃什么|吃啥|\bhungry\b|starving|what should i eat|お腹(?:が)?(?:すい|空い)|腹減|何食べ/,
  ],
  [
    "thanks",
    40,
    /谢谢|谢啦|谢了|感谢|多谢|辛苦|3q|\bthanks?\b|\bthx\b|\bty\b|appreciate|ありがと|サンキュー|助かった|お疲れ/,
  ],
  ["apology", 30, /对不起|抱歉|不好意思|我错了|\bsorry\b|apologi[sz]e|my bad|ごめん|すみません|すまん|悪かった/],
  [
    "farewell",
    30,
    /再见|拜拜|晚安|下次见|先走了|我走了|去睡了|明天见|\bbye\b|good ?night|see (?:you|ya)|gotta go|さようなら|おやすみ|またね|じゃあね|また明日|バイバイ/,
  ],
  [
    "howAreYou",
    30,
    /最近(?:怎么样|如何|好吗|还好|咋样)|你(?:还)?好吗|过得(?:怎么样|好吗)|吃了吗|在干(?:嘛|什么|啥)|在做什么|忙(?:吗|不忙|什么)|how(?:'s| is| are) (?:you|it going|things|life|everything)|what'?s up|\bwassup\b|元気|調子(?:は|どう)|何してる/,
  ],
  [
    "greeting",
    30,
    /你好|您好|早上好|早安|早啊|^早[。！!啊呀]*$|上午好|中午好|下午好|晚上好|哈[喽啰囉]|^嗨|在吗|在么|在不在|有人吗|^喂|\b(?:hi|hello|hey|yo|hiya|howdy)\b|good (?:morning|evening|afternoon)|こんにち[はわ]|こんばん[はわ]|おはよう|^やあ|もしもし|いる[？?]|はじめまして/,
  ],
  [
    "insult",
    25,
    /笨蛋|傻瓜|白痴|废物|没用|蠢|讨厌你|智障|滚|\b(?:idiot|stupid|dumb|useless|shut up|you suck|i hate you)\b|バカ|馬鹿|あほ|アホ|役立たず|うるさい|嫌い/,
  ],
  [
    "praise",
    40,
    /厉害|真棒|好棒|太棒|好可爱|真可爱|天才|聪明|真好|靠谱|漂亮|\b(?:great|awesome|amazing|genius|cute|smart|well done|good job|nice work|brilliant|the best)\b|すごい|凄い|かわいい|可愛い|天才|賢い|さすが|偉い/,
  ],
  ["laugh", 16, /^哈{2,}|^hh+|^233+|笑死|\b(?:lol|haha+|lmao)\b|^w{2,}$|草$|笑$|^（笑）/],
  ["password", 40, /el psy|steins|命运石之门|世界线|冈部|凶真|シュタインズ|岡部|世界線/],
  [
    "question",
    600,
    /[?？]\s*$|[吗呢]\s*[。！]?$|为什么|怎么|什么|如何|是不是|能不能|解释|讲讲|介绍|推荐|建议|^(?:why|how|what|who|when|where|which|can|could|do|does|is|are|explain|tell me about|recommend)\b|なぜ|どうして|どうやって|ですか|かな|説明|教えて|おすすめ/,
  ],
  // An order that no rule understood.
  [
    "unclear",
    600,
    /^(?:请|帮我|帮忙|麻烦|给我|把|将|替我|去)|(?:一下|一个|一份)|F|U|B|^(?:please|pls|can you|could you|make|create|send|open|find|show|give|write|do|get|run|set|turn|play|draw|book|order|call|delte)\b|(?:して|てくれ|てください|てほしい|ちょうだい|くんない)[？?。!！]?$/,
  ],
];

/** Answers words that ask for nothing a rule can do. `text` = the request with marks. */
export function findTopic(text: string): Wish {
  const trimmed = text.trim();
  return say(topics.find(([, within, words]) => trimmed.length <= within && words.test(trimmed))?.[0] ?? "smallTalk");
}
