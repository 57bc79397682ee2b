import { foldCharacters } from "./normalize-utterance.ts";

/**
 * What people say without asking for anything: 「我昨天查了半天」, "thanks for reminding me", 「不用查了」. No rule of a skill
 * looks at it, so that skills need not list how each of their words is said in passing.
 */
export const asideKinds = [
  "declined",
  "thanked",
  "reported",
  "told",
  "narrated",
  "exclaimed",
  "likened",
  "explained",
  "composed",
  "programmed",
  "errand",
  "personal",
] as const;
export type AsideKind = (typeof asideKinds)[number];

/** What a message says around its request. It is read after all if the request alone tells nothing: 「老板要个爬虫，帮我弄」. */
const background: readonly AsideKind[] = ["reported", "told", "narrated", "exclaimed"];

export interface Asides {
  /** A question or a request stands somewhere outside of them. */
  readonly isAsked: boolean;
  /** The text without the asides; each leaves a gap. `read` = kinds that are left in. */
  cut(read: readonly AsideKind[]): string;
  /** The same with the background left in, if there is any. */
  readonly cutLess?: ((read: readonly AsideKind[]) => string) | undefined;
}

/** The text is normalised (normalizeUtterance). */
export function findAsides(text: string): Asides {
  const clauses: { readonly clause: string; readonly kind: AsideKind | undefined; readonly asks: boolean }[] = [];
  for (const clause of text.split(/(?<=[,。!?;~…\n]|(?<=[a-z])\.(?= )|(?<=\p{Script=Han}) (?=\p{Script=Han}))/u)) {
    // What goes on and on without a comma was pasted.
    const isLong = clause.length > longestClause;
    const own = isLong ? undefined : tellKind(clause);
    const asks = own === undefined && (isLong || isAsking(clause));
    // A story goes on until something is asked.
    const before = clauses.at(-1)?.kind;
    const kind = own ?? (!asks && before !== undefined && background.includes(before) ? before : undefined);
    clauses.push({ clause, kind, asks });
  }
  const cut = (read: readonly AsideKind[]): string =>
    clauses.map(({ clause, kind }) => (kind && !read.includes(kind) ? "\n" : cutParts(clause, read))).join("");
  const hasBackground = clauses.some(({ kind }) => kind && background.includes(kind));
  const isAsked =
    clauses.some((one) => one.asks) ||
    (text.length <= 8 && !/[了着过得就都]/u.test(text) && clauses.every(({ kind }) => kind === undefined));
  return { isAsked, cut, cutLess: hasBackground ? (read) => cut([...read, ...background]) : undefined };
}

const longestClause = 150;

const isAsking = (clause: string): boolean => asks.test(clause) || commands.test(clause);

function tellKind(clause: string): AsideKind | undefined {
  if (declined.test(clause)) return "declined";
  if (thanked.test(clause)) return "thanked";
  if (personal.test(clause)) return "personal";
  if (reported.test(clause) && !questioned.test(clause)) return "reported";
  if (asks.test(clause)) return undefined;
  if (exclaimed.test(clause) && !clause.includes(":")) return "exclaimed";
  if (narrated.test(clause)) return "narrated";
  return told.test(clause) ? "told" : undefined;
}

function cutParts(clause: string, read: readonly AsideKind[]): string {
  if (clause.length > longestClause) return clause;
  let left = clause;
  for (const kind of ["likened", "explained", "composed", "programmed", "errand"] as const) {
    if (!read.includes(kind)) left = left.replaceAll(parts[kind], "\n");
  }
  return left;
}

const join = (...sources: readonly string[]): RegExp => new RegExp(foldCharacters(sources.join("|")), "u");

/** Words that a clause may begin with before it comes to the point. */
const opening =
  "^[\\s\"'「“]*(?:(?:红莉栖|助手|克里斯蒂娜|kurisu|那|就|但是?|可是|可|而且|所以|因为|结果|反正|其实|不过|算了|哎|唉|哦|啊|嗯|喂|好吧|行吧|真的|先|暂时|and|but|so|then|well|ok|okay|oh|lol|ugh|nah|no|yeah|man|honestly|actually|also|because|since|でも|もう|いや)[\\s]*)*";
const person =
  "(?:他们?|她们?|它们?|人家|别人|有人|没人|某人|大家|(?:我|我们|咱们?)?(?:妈妈?|爸爸?|爷爷|奶奶|外婆|姥姥|哥哥?|姐姐?|弟弟|妹妹|老婆|老公|女朋友|男朋友|女友|男友|对象|孩子|儿子|女儿|舍友|室友|同学|同事|朋友|闺蜜|邻居|亲戚|家人|老板|领导|上司|经理|组长|客户|甲方|老师|导师|教授|医生|警察|客服|房东|公司|学校|单位|媳妇|前任|初恋|相亲对象|主任|班主任|主播|猎头|网友|司机|护士|师傅|教练|演员|歌手|球员|选手|[表堂][哥姐弟妹]|阿姨|叔叔?|舅舅?|大爷|大妈|产品经理|程序员)|(?:那个?|这个?)(?:人|家伙|男的|女的))";
const when =
  "(?:今天|昨天|前天|昨晚|今晚|今早|早上|上午|中午|下午|晚上|半夜|凌晨|刚才|刚刚|刚|上次|上回|上周|上个?月|去年|今年|以前|之前|小时候|当年|当时|曾经|那天|那次|那年|前几天|这几天|最近|每天|天天|平时|明天|周末|现在)";
const manner =
  "(?:已经|早就|早|又|还|还是|也|都|就|才|老是?|总是?|一直|从来|从|经常|常常|居然|竟然|突然|终于|好不容易|非|硬|非要|好像|真|差点|特别|整天|天天|刚|刚刚|正在|在|只|只是|一个劲地?)";

/** Somebody asks, in whichever way. */
const asks = join(
  "[?]|吗|真的假的|是真是假|对吧|对不对|[^对要么]不(?=[\\s,。!~…]*$)|(?:^|[我你他她这那个])呢(?=[\\s,。!~…]*$)|[嘛么吧](?=[\\s,。!~…]*$)|来着|怎么|怎样|咋|如何|(?:什么|啥)(?!都|也|的[最都真太])|几(?!乎|率|何)|多少|多[久长大远高]|哪(?!都|怕|里都)|谁(?!都|也|懂|还没)|何时|是不是|有没有|没有(?=[\\s,。!]*$)|了没|([\\u4e00-\\u9fff])不\\1|能否|可否|为何",
  "帮|请(?!假|客|柬|帖|教|了)|麻烦(?=你|您|帮|给|查|看|搜|把|问|再|找)|^麻烦(?!死|了|得|的)|给(?:我|咱|大家|这|那)(?![^,。!?]{1,3}了[^\\s,。!?吧啊])|替我|拜托|劳驾|一下(?![雨雪子班课车])|下(?=[\\s,。!]*$)|(?<!(?:[我他她它们人妈爸板友事学师弟哥姐妹婆公奶爷户司]|终于|总算|已经|刚刚?|居然|竟然|差点)[^,。!?]{0,5})把(?!我)|将(?![来军要会近])|看看|试试|来[个份条点张段]|发我|告诉我|教我|教你|让你|我要(?!去|走|疯|死|上班|出|回|睡|哭|是)|我想(?!去|死|起|到|念|你|不|哭|睡|吃|走)|想(?:知道|看|了解|查|问|要|找|请|让|把|教你|给你|变成|做[个一成])|需要|(?<![我他她人都也][^,。!?]?)记得|别忘|别让我|求|叫我|喊我|催我|戳我|(?<![我都还也他她])记(?:[住下着]|在?心里)(?!了[^\\s,。!吗没啊哦吧])|以后|从现在起|([看查搜找翻试问改讲瞧瞅数算跑测写读理捋念瞄扫归清收排分拆修补列比])\\2|干[嘛啥]|一[波把手发](?=[\\s,。!]*$)|[说喊叫吱]一声|提个醒|(?:后|点|时候?|早)[^,。!?]{0,4}[叫喊闹炸踹踢戳催呼摇](?:醒)?(?:一?下)?我|把我(?:弄|叫|喊|吵|闹|摇)|你(?:可要|可得|可别|可|要|得|给我|千万|务必|就(?=当|给|帮|别|直接))(?!能|是|以|真|爱)|放在?心上|给你(?:装|加|弄|写|做|换)|(?:走|整|搞|来)(?:一?[个波下遍发]|起)(?=[\\s,。!\\d]|$)|报错|跑不起来|跑不通|编译不|抛异常|救",
  "^[\\s\\p{P}]*(?:please|pls|plz|can|could|would|will|what|whats|when|where|who|whos|why|how|hows|is|are|do|does|did|has(?= (?:he|she|it|the|my|any\\w*|this|that|our|your|there)\\b)|have|should|let's|any\\w*)\\b|^[\\s\\p{P}]*(?:then |and |just |also |now |quickly )*(?:add|adjust|append|apply|archive|back|book|bring|browse|build|bump|bundle|cancel|change|check|clean|clear|click|clone|close|code|commit|compare|configure|convert|copy|correct|count|create|crop|debug|delete|deploy|describe|diff|disable|download|draft|drop|dump|edit|enable|erase|execute|explain|export|extend|extract|fetch|fill|filter|find|fix|forget|format|free|generate|get|gimme|give|go|google|grab|group|hit|implement|improve|install|jot|keep|kill|lemme|lint|list|load|log|look|lower|make|mark|merge|migrate|move|mute|name|note|nudge|open|optimi[sz]e|pack|paste|pick|ping|play|poke|port|postpone|print|prune|pull|push|put|query|read|rebase|rebuild|refactor|reload|remember|remind|remove|rename|replace|reset|resize|resolve|restart|restore|revert|review|rewrite|roll|run|save|scan|schedule|scrape|screenshot|scroll|search|send|set|shift|show|skip|snooze|solve|sort|spin|split|squash|start|stash|stop|store|sum|summari[sz]e|switch|tag|tail|take|teach|tell|test|throw|tidy|tighten|time|trace|translate|trash|trim|turn|tweak|undo|unzip|update|upgrade|upload|use|validate|verify|visit|wake|watch|wipe|wrap|write|zip)\\b|\\b(?:please|pls|plz|(?:can|could|would|will) (?:you|u|ya|someone)|help|i (?:need|want|wanna)|i'd like|needs?|remind me|wake me|let me know|for me|tell me|show me|give me|from now on|remember that|what's|how to|how do)\\b|\\b(?:throws?|exception|\\w*error|won't compile|isn't working|doesn't work|not working)\\b",
  "(?:て|で)(?:くれ|くださ|下さ|ほしい|欲しい|もらえ|いただ|ね?$|よ?$|おい)|たい(?:です|ん|の|$)|教え|ちょうだい|頂戴|お願い|頼む|ですか|ますか|かな|よね|だっけ|何|いつ|どこ|誰|なぜ|どう|いくら|どれ|どの",
);
/** Somebody tells her to do something. */
const commands = join(
  `${opening}(?:你|都|全|再|先|快|赶紧|直接|顺便|然后|接着|马上|现在|去|来)*(?:拆|删|改|存|发|写|打|截|查|搜|找|列|转|挪|移|合|提(?!醒)|推|拉|切|跑|运行|装|安装|停|关|打开|新建|创建|更新|总结|整理|清|换|翻译|导出|备份|恢复|撤|回滚|记|忘|填|点|滚|登|访问|画|算|数|执行|重启|杀|解压|下载|上传|复制|重命名|设|定|取消|提醒|叫|捋|归纳|压(?!力|根|抑)|缩|裁|剪|收敛|查|拉|切|弄|搞|处理|重[写做来跑]|忘了(?=我|这|那|刚|之前)|在[^,。!?\\n]{1,8}(?:挂|起|跑|开|建)|沉淀|封装|固化|[\\u4e00-\\u9fff]{1,2}成(?=[一个份条\\sa-z你])|按(?![理说摩])|往|用[^,。!?\\n]{1,10}(?:写|做|画|实现|跑|转|算|查|打开|弄)|给(?![^,。!?\\n]*了)[^,。!?\\n]{1,14}[补加换改写做装起取配删添打])(?!了|完|的|过|着|得|不)`,
  "(?<![没不得了][^,。!?]{0,4})(?:出来|发我|给我|下来|起来|掉|一遍|一份)[\\s,。!]*$",
  "^[\\s\\p{P}]*[a-z-]+ for (?!a\\b)",
);
const questioned =
  /[?]|(?:吗|么|没有|来着|没)[\s,。!~…]*$|什么时候|^[\s\p{P}]*(?:can|could|did|does|do|is|what|when|who)\b/u;

const declined = join(
  `${opening}(?:我|你|您|咱们?|我们|大家)?(?:也|都|就|现在|暂时|今天|以后|千万|先|可)*(?:不用|不必|用不着|不需要|没必要|犯不着|甭|不想|不敢|懒得|不打算|没打算|别(?!忘|让我|的|人|处|墅|名|针)|不要(?!忘|让我|紧)|不许|不准|休想)(?![^,。!?\\n]*(?:怎么|如何|咋|吗|行不行|可以))`,
  `${opening}(?:there'?s )?(?:no need to|don'?t(?! forget| let)|do not|never ?mind|stop\\b|you (?:don'?t|do not) (?:have|need) to|i don'?t (?:want|need|feel like))`,
  "(?:なくていい|なくて(?:も)?(?:大丈夫|結構)|ないで(?:ください|ほしい|くれ|ね|よ)?|必要(?:は)?ない|はいらない)(?:です|よ|から|ね|わ)*[\\s,。!]*$",
);
const thanked = join(
  `${opening}(?:谢谢|谢了|谢啦|多谢|感谢|辛苦|多亏|幸亏|要不是|要是没有|幸好|还好|好在|亏得|恭喜|不好意思|对不起|抱歉|难为)(?![^,。!?\\n]*(?:麻烦|请帮|再帮))`,
  `${opening}(?:thanks?(?: you)?|thx|ty|cheers|sorry|glad|congrats|good thing)\\b(?:.{0,20}\\b(?:for|that|about)\\b|.{0,12}$)`,
  "(?:くれて|もらって|いただいて)(?:、)?(?:ありがと|サンキュ|助か)",
);
/** Questions about herself. */
const personal = join(
  `${opening}(?:${when})?(?:你|妳)(?:们)?(?:自己|今天|平时|一般|平常|小时候|以前|也|都|最|真的|到底|是不是|会不会|有没有|难道|究竟|还|更)*(?:觉得|认为|喜欢|讨厌|爱(?!吃的)|怕|信|相信|平时|几岁|多大|猜|是谁|是什么人|开心|生气|高兴|难过|无聊|孤独|困|累|冷|饿|学过|用过|玩过|看过|去过|吃过|听过|谈过|做过|会(?:不会)?(?:写代码|编程|写程序|用\\s*[a-z]+)(?=(?:吗|么|不|嘛)|[\\s,。!?]*$)|会(?:做饭|唱歌|跳舞|累|困|死|做梦|害怕))(?!.{0,8}我)`,
  `${opening}(?:do|did|are|were|have|would|what do|what's|who are|how are|how old are) you(?:r)? (?:ever|like|love|hate|feel|believe|think about|prefer|a |an |bored|tired|happy|real|ok|okay|doing|favou?rite|single|human)`,
  "(?:君|きみ|あなた|お前|クリス|紅莉栖)(?:は|って|の)[^。\n]{0,16}(?:好き|嫌い|思う|誰|何歳)",
);
const reported = join(
  `${opening}${when}?${person}(?:${when}|${manner})*[^,。!?\\n]{0,6}(?:跟我说|对我说|告诉我|问我|问你|说他|说她|让我|叫我|叫他|喊我|催我|要我|要求|逼我?|命令|提醒我?|提醒了|吩咐|安排我|嫌我?|骂我?|夸我?|以为|觉得|认为|怀疑|嘱咐|劝我?|拜托我)`,
  `${opening}${when}?(?:我|我们)(?:${when}|${manner})*(?:跟|和|对|问|劝|骗|催|提醒|告诉|让|叫)(?:了)?${person}`,
  `${opening}(?:he|she|they|my \\w+|the \\w+|somebody|someone|everyone|people) (?:\\w+ )?(?:said|says|told|tells|asked|asks|wants|wanted|made|makes|keeps? \\w+ing|reminded|thinks?|thought|never|always|called)\\b`,
);
const exclaimed = join(
  "(?:太|真是?|很(?!慢|卡)|超级?|特|贼|巨|挺|可真|好|这么|那么|特别|非常|越来越|不要太|蛮|老)(?:他妈|tm|特么)?(?:难|烦|累|慢|卡|丑|烂|苦|帅|酷|香|美|冷|热|困|吵|乱|舒服|好看|好听|好吃|好用|好笑|好玩|好|棒|厉害|无聊|麻烦|开心|快乐|难过|难受|感动|可爱|贵|便宜|惨|蠢|傻|坑|离谱|恶心|爽|神|准|强|牛|多|大|长|远|晚|早|快|高|难用|伟大|漂亮|浪漫|复杂|可怕|吓人|诡异|毒|绝|糟糕|尴尬|真实|气人|扯|安静|热闹|温柔|可怜|搞笑|奇怪|混乱|清净|忙|闲|饿|穷|胖|瘦|丧|暖|甜|咸|辣)(?:了|啊|呀|哦|呢|的|吧|哈|啦|死了)*[\\s,。!~…]*$",
  "(?:最讨厌了?|最烦了?|死了|疯了|哭了|吐了|麻了|炸了|裂了|服了|头秃|要命|要死|想死|崩溃了|醉了|绝了|无语|笑死)(?:啊|呀|都)*[\\s,。!~…]*$",
  "\\b(?:so|too|such a|really|pretty|damn) \\w+(?: \\w+){0,2}[\\s,.!]*$|\\b(?:sucks?|rocks|lol|lmao)[\\s,.!]*$",
  "(?:なあ|すぎる|最高|最悪|つらい|疲れる|嬉しい|悲しい|楽しい|いいね|いい天気)[\\s,。!…]*$",
);
const told = join(
  `${opening}(?:${when}|${manner})*(?:我|我们|咱们?|俺|本人)(?:们)?(?:${when}|${manner})*[^,。!?\\n]*(?:[^为除罢]了|过|着|到|得|没|不|完|在|会|是|去|打算|准备|喜欢|讨厌|最怕|有|的)`,
  `${opening}(?:i|i'm|i've|i'd|i'll|im|ive|we|we're|we've|my(?! (?:\\w+ )?(?:code|loop|function|script|query|program|app|tests?|build|css|regex|component|class)\\b(?! (?:review|got|was|just)))|our|ran|came|got|went|been|just (?:got|finished|did|had)|spent|lost|finally|still)\\b`,
  "(?:私|俺|僕)(?:は|も|が)[^。\\n]*(?:た|だ|です|ます|ない)[\\s,。!…]*$",
);
const narrated = join(
  `${opening}${when}?${person}(?:的|手机|电脑|家)?`,
  `${opening}(?:${manner})*你们?(?:${when}|${manner})*[^,。!?\\n]*(?:[^为除罢]了|过|着|真|是)`,
  `${opening}(?!(?:${when}|${manner})+[那的])(?:${when}|${manner})+[^,。!?\\n]*(?:[^为除罢]了|过|着|到|得)`,
  `${opening}[^,。!?\\n]{1,12}(?:被|让)(?:我|他|她|人)[^,。!?\\n]*了`,
  "了(?:他|她|我|你|人家|大家|半天|一天|一晚|一夜|一年|好久|好多|好几|很多|无数|[\\d一二三四五六七八九十百两几]+(?:遍|次|天|年|圈|公里|个(?:小时|月|星期)|小时|分钟|多))",
  "了[^,。!?\\n]{1,12}(?:还是|却|也没|都没|一个没|结果|反而|又)",
  "(?:听|看|想|摸|闻|吃|用)(?:着|起来|上去)(?:就|都|很|挺|真|好|像|有点)",
  `${opening}[^,。!?\\n]{0,8}(?:新|又|刚|总算|终于|已经)[\\u4e00-\\u9fff]{1,3}了`,
  `${opening}[^,。!?\\n]{1,14}(?:没了|坏了|丢了|响了|停了|断了|没响|又?(?:崩|挂|炸|卡)了)[^,。!?\\n]*$`,
  `${opening}[^,。!?\\n]{1,14}(?:永远|从来|根本|压根|死活|怎么都|越)(?:也|都)?(?:不|没|[搞学看弄记用]不)`,
  `${opening}[^,。!?\\n]*(?:要是|如果|真希望|但愿|恨不得)[^,。!?\\n]*(?:就好|多好|该有多)`,
  `${opening}(?:he|he's|she|she's|they|they're|it|it's|its|this|that|that's|these|those|his|her|their|the|every\\w+|some(?:one|body|thing)|people|nobody|nothing|no one|yesterday|last (?:night|week|year)|today)\\b`,
  "(?:た|んだ|だよ|だった|ました|てた|ちゃった|じゃった|ている|てる|ない|なかった|のに|けど|だね|です|から|ます)(?:よ|ね|な|わ|し|の|ぜ|さ|w|笑)*[\\s,。!…]*$",
);

const parts = {
  /** What something is like, and what somebody does for a living. */
  likened: new RegExp(
    "[^,。!?\\s和跟与像]{1,8}(?<!不|这|那|和[^,。!?]{1,8}|跟[^,。!?]{1,8}|像[^,。!?]{1,8}|与[^,。!?]{1,8})(?:一样|似|一般|般)的(?=[\\u4e00-\\u9fff])|(?:就?像|好比|宛如|仿佛|简直是?)(?:一?个|一?只|一?台)?[^,。!?\\n的]{1,12}(?:一样|似的|一般)|(?<=跟|和|就像|像)[^,。!?\\n]{1,8}似的|比[^,。!?\\n]{1,10}还(?=[\\u4e00-\\u9fff])|(?:写|敲|码)(?:代码|程序)的(?=[人都就也没真,。!\\s]|$)|(?:人生|生活|关系|感情|爱情|脑子|大脑|脑袋|脑回路|心态|婚姻|命运|我们俩)[^。!?\\n]{0,10}(?:报错|bug|死循环|崩溃?|宕机|重启|回滚|debug|内存|cpu|格式化|卡死|短路|乱码)(?:满|爆)?|(?:官方?|游戏|原神|网易云?|微信|微博|b站|steam|王者|qq|魔兽)[^,。!?\\n]{0,3}服务器?[^,。!?\\n]*|[^、。\\s]{1,8}(?:みたいな|みたいに|のような|のように)|是(?:一?个|一?位)?(?:搞|做|写|干|学|教|卖|玩|修|开|养|跑)(?![^,。!?\\n]*(?:什么|啥|干嘛|哪))[^,。!?\\n]{1,8}的(?![^,。!?\\n]*[吗呢?])",
    "gu",
  ),
  /** How a thing works or came to be: general knowledge, whatever the thing is. */
  explained: new RegExp(
    "[^,。!?\\n]*(?:是(?:怎么|如何|怎样)(?:做|来|产生|形成|发明|工作|运作|实现|诞生|计算|存储)(?:出来|成|的)*|的(?:工作)?(?:原理|由来|起源|发明者|发明人|本质|意义|历史)|是谁发明的?|(?:英文|英语|日语|日文|法语|粤语)(?:里|是|叫)|算不算|难不难|(?:难|好)学吗|为什么(?:要有|会有|有|叫|存在|需要))[^,。!?\\n]*|\\b(?:how do(?:es)?|why do(?:es)?) (?!i\\b|we\\b|this\\b|my\\b|you\\b)[^,.!?\\n]{2,30} (?:work|exist|happen)\\b",
    "gu",
  ),
  /** A text to write or tell: what it is about is no request. */
  composed: new RegExp(
    "(?:写|编|讲|说|作|来|想|创作|唱|念)(?:我|一?下|给我听|个|一?[首篇个段封则句张])*[^,。!?\\n]{0,16}(?:诗|歌词|故事|笑话|作文|邮件|段子|情书|歌|文案|小说|请假条|检讨书?|信(?!息|号|用)|祝福语?|演讲稿|发言稿|散文|对联|台词|绕口令|谜语|冷知识|童话|相声|朋友圈|小红书)(?!曲|的)|\\b(?:tell|write|make up|sing|give)\\b[^,.!?\\n]{0,12}\\b(?:story|poem|joke|song|haiku|essay|letter|limerick|email)\\b(?: about[^,.!?\\n]*)?",
    "gu",
  ),
  /** What somebody wants to be reminded of is to be done later, and by somebody else. */
  errand:
    /提醒(?:一?下|一声)?(?:我们?|咱们?|大家|他|她)[^,。!?\n]*|\b(?:remind (?:me|us)|don't let me forget|wake me up)\b[^.!?\n]*/gu,
  /** A program to write: what it does is no request either. */
  programmed: new RegExp(
    "(?:写|编|编写|实现|搞|整|做|弄|来|给我|开发)(?:我|一?个|一段|段|点|一下|个)?[^,。!?\\n]{0,12}(?:函数|脚本(?!杀)|程序|爬虫|小工具|方法|正则|宏|机器人|技能|\\bbot|\\bskill)(?:(?!存到|存成|保存|写到|写进|然后|再|并)[^,。!?\\n])*(?:,\\s*(?:把|专门|用来|可以|自动|负责|能)(?:(?!存到|存成|保存|写到|写进|然后|再|并(?!到))[^,。!?\\n])*)?|\\b(?:write|implement|create|make|give me|need)\\b[^,.!?\\n]{0,24}\\b(?:functions?|scripts?|class|regex|query|program|one-liner|snippet)\\b(?:(?! and (?:save|run|commit|push|store)| to (?:a |the )?file)[^,.!?\\n])*",
    "gu",
  ),
};
