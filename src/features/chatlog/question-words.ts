/** A thing that people ask for: the words of questions, and those of the answers. */
export interface AskedThing {
  readonly asked: readonly string[];
  readonly told: { readonly zh: readonly string[]; readonly en: readonly string[]; readonly ja: readonly string[] };
}

const list = (words: string): readonly string[] => (words === "" ? [] : words.split("|"));
const thing = (asked: string, zh: string, en: string, ja: string): AskedThing => ({
  asked: list(asked),
  told: { zh: list(zh), en: list(en), ja: list(ja) },
});

/** Folded as the index is: simplified, lower case. */
export const askedThings: readonly AskedThing[] = [
  thing(
    "生日|几岁|多大了|年纪|年龄|出生|哪年生|属什么|星座|birthday|born|how old|age|誕生日|诞生日|何歳|何岁|生まれ",
    "生日|出生|出生于|生于|岁|蛋糕|过生日|属",
    "birthday|born|years old|turned|cake",
    "誕生日|生まれ|歳|ケーキ",
  ),
  thing(
    "住|家在|地址|搬|哪个城市|哪个区|租|live|living|lives|address|apartment|moved|move|moving|住ん|住所|引っ越|引越",
    "搬家|搬到|搬去|住在|住址|租房|租的|新家|房租|房东|小区|地址|合租|宿舍",
    "moved|moving|live in|living in|apartment|rent|address|roommate|house",
    "引っ越し|引っ越した|住んで|住所|家賃|アパート|部屋|マンション",
  ),
  thing(
    "工作|上班|职业|公司|老板|同事|做什么的|干什么的|任职|跳槽|job|work|company|boss|employer|occupation|colleague|仕事|会社|働|職業|职业|勤め",
    "入职|上班|公司|跳槽|辞职|离职|同事|老板|面试|加班|offer|任职|工资",
    "job|work at|hired|company|boss|colleague|interview|quit|offer|salary",
    "入社|会社|転職|同僚|上司|面接|残業|働いて|仕事",
  ),
  thing(
    "宠物|养了|养什么|动物|猫|狗|pet|pets|cat|dog|animal|ペット|飼|饲",
    "猫|狗|宠物|猫咪|狗狗|养了|兽医|遛狗|猫粮|仓鼠|兔子",
    "cat|dog|puppy|kitten|vet|hamster|rabbit",
    "猫|犬|ペット|飼って|動物病院|散歩",
  ),
  thing(
    "家人|父母|爸|妈|兄弟|姐妹|哥哥|姐姐|弟弟|妹妹|family|parents|mother|father|brother|sister|sibling|家族|両親|两亲|兄弟|姉妹",
    "爸爸|妈妈|我爸|我妈|哥哥|姐姐|弟弟|妹妹|爷爷|奶奶|外婆|父母",
    "mom|dad|mother|father|brother|sister|parents|grandma",
    "父|母|兄|姉|弟|妹|両親|祖母",
  ),
  thing(
    "对象|男朋友|女朋友|结婚|老公|老婆|恋爱|单身|boyfriend|girlfriend|married|wedding|husband|wife|dating|single|彼氏|彼女|結婚|结婚|恋人|付き合",
    "男朋友|女朋友|结婚|婚礼|分手|老公|老婆|约会|恋爱|求婚|领证",
    "boyfriend|girlfriend|married|wedding|engaged|broke up|date|husband|wife",
    "彼氏|彼女|結婚|結婚式|別れ|デート|付き合って|プロポーズ",
  ),
  thing(
    "孩子|小孩|儿子|女儿|宝宝|怀孕|kid|kids|child|children|son|daughter|baby|pregnant|子供|子ども|息子|娘|赤ちゃん|妊娠",
    "孩子|儿子|女儿|宝宝|怀孕|幼儿园|出生|满月",
    "baby|son|daughter|kids|pregnant|kindergarten",
    "赤ちゃん|息子|娘|子供|妊娠|保育園",
  ),
  thing(
    "学校|大学|专业|读书|学历|毕业|上学|考研|school|university|college|major|degree|graduate|study|学校|専攻|专攻|卒業|卒业",
    "大学|学校|专业|毕业|考研|论文|导师|高考|录取|读研|硕士|博士",
    "university|college|major|graduated|thesis|degree|campus|admitted",
    "大学|専攻|卒業|論文|大学院|入学|受験",
  ),
  thing(
    "考试|成绩|考了|及格|exam|test|grade|score|試験|试验|テスト|成績|成绩|合格",
    "考试|成绩|分数|及格|挂科|考过|复习|期末|雅思|六级|考研",
    "exam|passed|failed|score|grade|finals|test",
    "試験|テスト|合格|不合格|点数|期末",
  ),
  thing(
    "吃什么|爱吃|喜欢吃|菜|口味|餐厅|饭店|忌口|过敏|food|eat|restaurant|dish|allergic|allergy|diet|食べ|料理|レストラン|アレルギー|好物",
    "好吃|爱吃|火锅|餐厅|饭店|川菜|日料|烧烤|忌口|过敏|吃辣|素食|外卖",
    "restaurant|delicious|allergic|vegetarian|favourite food|dinner|spicy|hotpot",
    "美味しい|レストラン|アレルギー|好き嫌い|ラーメン|寿司|辛い",
  ),
  thing(
    "喝什么|爱喝|咖啡|奶茶|酒|drink|coffee|tea|beer|wine|飲み|饮み|コーヒー|お酒",
    "咖啡|奶茶|喝酒|啤酒|红酒|茶|可乐|拿铁",
    "coffee|tea|beer|wine|latte|drink",
    "コーヒー|お茶|ビール|お酒|ワイン|飲み会",
  ),
  thing(
    "旅游|旅行|出差|去过|度假|玩了|travel|trip|vacation|holiday|visited|abroad|旅行|出張|出张|行った",
    "旅游|旅行|机票|酒店|出差|景点|签证|高铁|攻略|去玩|度假|护照",
    "trip|flight|hotel|visa|vacation|travel|airport|itinerary",
    "旅行|飛行機|ホテル|出張|観光|ビザ|新幹線|温泉",
  ),
  thing(
    "生病|身体|健康|医院|病|看医生|吃药|手术|sick|ill|health|hospital|doctor|surgery|medicine|病気|病气|病院|手術|手术|体調|体调|薬|药",
    "医院|生病|发烧|感冒|手术|住院|吃药|体检|医生|头疼|咳嗽|确诊",
    "hospital|sick|fever|surgery|doctor|medicine|diagnosed|flu",
    "病院|風邪|熱|手術|入院|薬|医者|検査",
  ),
  thing(
    "爱好|兴趣|喜欢做|平时玩|hobby|hobbies|interest|free time|趣味|休みの日",
    "爱好|喜欢|迷上|摄影|画画|弹琴|跑步|游泳|爬山|健身|钓鱼|吉他",
    "hobby|into|photography|painting|guitar|hiking|running|gym",
    "趣味|ハマって|写真|絵|ギター|登山|ランニング|ジム",
  ),
  thing(
    "游戏|打什么|段位|game|games|gaming|ゲーム",
    "游戏|开黑|上分|段位|通关|steam|原神|王者|switch|氪金",
    "game|steam|ranked|switch|playthrough|raid",
    "ゲーム|クリア|ランク|課金|スイッチ",
  ),
  thing(
    "电影|电视剧|动漫|番|追剧|movie|film|show|series|anime|映画|ドラマ|アニメ",
    "电影|电影院|追剧|番剧|动漫|上映|剧透|新番|大结局",
    "movie|cinema|episode|season|anime|trailer|spoiler",
    "映画|ドラマ|アニメ|映画館|最終回|ネタバレ",
  ),
  thing(
    "音乐|歌|歌手|乐队|演唱会|music|song|singer|band|concert|音楽|音乐|曲|歌手|ライブ",
    "歌|演唱会|乐队|专辑|歌单|单曲循环|音乐节|门票",
    "song|concert|album|band|playlist|tickets|gig",
    "曲|ライブ|コンサート|アルバム|バンド|チケット",
  ),
  thing(
    "书|读什么|看什么书|小说|作者|book|books|novel|reading|author|本を|小説|小说|読ん|读ん",
    "小说|看书|读完|作者|书店|推荐的书|三体|电子书",
    "book|novel|author|finished reading|chapter|kindle",
    "小説|読み終|作者|本屋|漫画",
  ),
  thing(
    "电话|联系方式|手机号|邮箱|微信号|qq号|phone number|contact|email|電話|电话番号|連絡先|连络先|メール",
    "电话|手机号|微信|邮箱|加我|号码|联系",
    "phone|number|email|call me|contact|reach me",
    "電話|番号|メール|連絡先|ライン",
  ),
  thing(
    "车|开什么车|驾照|car|drive|license|licence|車|车を|免許|免许",
    "车|提车|驾照|开车|油耗|特斯拉|停车|保险|车牌|科目",
    "car|drive|driving test|tesla|parking|license",
    "車|免許|運転|駐車場|納車",
  ),
  thing(
    "多少钱|价格|工资|借钱|欠|花了|还钱|price|cost|salary|money|owe|lend|borrow|paid|いくら|値段|值段|給料|给料|お金|借り",
    "块|元|价格|工资|借钱|还钱|转账|欠|贵|便宜|房贷|打折",
    "paid|cost|price|dollars|borrowed|owe|transfer|cheap|expensive|salary",
    "円|値段|高い|安い|給料|貸し|返し|振り込",
  ),
  thing(
    "送什么|礼物|想要什么|gift|present|wish|プレゼント|欲しい",
    "礼物|送给|想要|惊喜|收到|包装",
    "gift|present|surprise|wishlist|wrapped",
    "プレゼント|贈り物|欲しい|サプライズ",
  ),
  thing(
    "见面|聚会|约|什么时候见|几点见|meet|meeting|party|gathering|appointment|会う|会议|会議|飲み会|集まり|約束|约束",
    "见面|聚会|聚餐|约好|集合|碰头|开会|几点|地点|地铁站",
    "meet|party|meeting|meet up|gather|see you at|appointment",
    "会う|集合|飲み会|待ち合わせ|会議|駅",
  ),
  thing(
    "计划|打算|安排|决定|目标|plan|plans|goal|decide|decided|予定|计画|計画|目標|目标|決め|决め",
    "打算|计划|准备|决定|目标|安排|说好|定了",
    "plan|going to|decided|goal|schedule|settled",
    "予定|計画|つもり|決めた|目標",
  ),
  thing(
    "电脑|手机|显卡|买了什么|设备|computer|laptop|phone|device|gpu|パソコン|スマホ|買った|买った",
    "电脑|手机|显卡|笔记本|下单|到货|换了|快递|内存|键盘|耳机",
    "laptop|phone|gpu|ordered|arrived|delivery|keyboard|headphones",
    "パソコン|スマホ|届いた|注文|キーボード|イヤホン",
  ),
  thing(
    "运动|健身|减肥|体重|跑步|sport|workout|exercise|weight|運動|运动|ダイエット|体重|筋トレ",
    "健身|跑步|减肥|体重|健身房|打球|篮球|羽毛球|游泳|瘦了|公里",
    "gym|run|workout|weight|basketball|swim|marathon|diet",
    "ジム|筋トレ|走っ|体重|ダイエット|バスケ|泳",
  ),
  thing(
    "为什么吵|吵架|生气|矛盾|道歉|argue|argued|fight|angry|apologise|apologize|喧嘩|喧哗|怒|謝|谢",
    "吵架|生气|对不起|道歉|冷战|拉黑|和好|误会|抱歉",
    "angry|sorry|fight|argued|apologise|apologize|blocked|misunderstanding",
    "喧嘩|怒って|ごめん|謝|仲直り|誤解",
  ),
  thing(
    "老家|哪里人|家乡|籍贯|哪国人|hometown|come from|native|nationality|出身|地元|故郷|故乡|国籍",
    "老家|家乡|出身|回老家|过年回|本地人|长大",
    "hometown|grew up|come from|born in|originally from",
    "出身|地元|実家|帰省|育っ",
  ),
  thing(
    "语言|会说|外语|学英语|学日语|language|speak|languages|言語|语|話せ|话せ",
    "英语|日语|口语|学日语|学英语|单词|雅思|四级|翻译",
    "english|japanese|french|speak|duolingo|vocabulary|fluent",
    "英語|日本語|中国語|勉強|単語|話せる",
  ),
];

/** Words of questions, in addition to those of any talk: they find nothing in a log. */
export const questionWords: ReadonlySet<string> = new Set(
  "聊过 聊天 说过 提到 提过 谈过 讨论 问过 讲过 哪天 哪年 哪次 谁 群里 聊天记录 记录 最后一次 最早 第一次 一共 mention mentioned talked talk discussed discuss chat log conversation 話 話した 言った 言って 何歳 何岁 话した".split(
    " ",
  ),
);
