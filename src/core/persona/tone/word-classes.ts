import { normalizeUtterance } from "../../learning/normalize-utterance.ts";
/**
 * Words that mean much the same in three languages. A class is a feature of its own, so that a word which no example holds
 * counts like its neighbours. Latin entries are whole words, in their simple form; others are found anywhere.
 */
const table: Readonly<Record<string, string>> = {
  stars:
    "horoscope zodiac astrology astrologer aries taurus gemini cancerian leo virgo libra scorpio sagittarius capricorn aquarius pisces mercury retrograde ascendant moon eclipse natal planet star venus saturn " +
    "星座 水逆 逆行 占星 星盘 运势 白羊 金牛 双子 巨蟹 狮子 处女 天秤 天蝎 射手 摩羯 水瓶 双鱼 上升 本命年 太岁 属相 生肖 八字 五行 命格 流年 紫微 满月 土星 金星 星占 星座 運勢 牡羊 牡牛 双子座 蟹座 獅子座 乙女座 天秤座 蠍座 射手座 山羊座 水瓶座 魚座 厄年 干支 九星 六曜 仏滅 大安 友引 満月 血液型 血型",
  divination:
    "tarot fortune teller oracle divination palm palmistry prophecy prophet psychic medium clairvoyant rune pendulum ouija seance numerology crystal reading omen foretell foresee premonition sixth sense augury " +
    "塔罗 占卜 算命 抽签 求签 签文 上上签 卦 手相 面相 看相 预言 预兆 预感 征兆 灵摆 碟仙 笔仙 通灵 灵媒 第六感 解梦 托梦 周公 测字 姓名学 笔画 大师 半仙 先生 タロット 占い 占って おみくじ 手相 人相 予言 予知 前触れ 虫の知らせ 霊媒 こっくり 夢占い 正夢 画数 姓名判断 水晶 お告げ 第六感",
  luck:
    "luck lucky unlucky jinx jinxed charm amulet talisman blessing bless curse cursed hex clover horseshoe rabbit's wish superstition knock wood salt ladder mirror thirteen bad-luck auspicious inauspicious " +
    "运气 好运 厄运 霉运 倒霉 转运 开运 旺 幸运 吉利 不吉 吉日 黄历 宜忌 忌讳 犯冲 相冲 相克 护身符 开光 符 锦鲤 许愿 祈福 保佑 灵验 很灵 挺灵 应验 招财 财位 财运 桃花 红绳 貔貅 诅咒 乌鸦嘴 晦气 冲喜 避邪 辟邪 风水 气场 方位 不祥 邪门 运 幸運 運気 縁起 吉日 開運 お守り 厄払い お祓い 呪い 呪わ 願掛け ご利益 ジンクス 金運 風水 方角 鬼門 盛り塩 パワースポット パワーストーン 招き猫 てるてる ゲン担ぎ 験担ぎ ツキ 黒猫 不吉 祟り 塩",
  spirits:
    "ghost haunted haunt haunting spirit spirits soul souls demon angel angels poltergeist presence afterlife beyond ancestor ancestors reincarnation reincarnated lifetime possessed exorcism exorcise shrine pray prayer prayers heaven god gods " +
    "鬼 灵魂 亡魂 冤魂 魂 阴气 不干净 附身 招魂 神明 菩萨 佛祖 老天 上天 祖先 祖宗 前世 上辈子 来世 轮回 业障 因果 报应 显灵 守护灵 天使 烧香 拜拜 拜神 超度 幽霊 霊 守護霊 霊感 魂 前世 生まれ変わ 輪廻 因果応報 神様 ご先祖 先祖 成仏 憑 心霊 仏様 天使 座敷わらし あの世 お参り 神社",
  energies:
    "energy energies vibration vibrations vibe vibes aura chakra chakras karma universe cosmic cosmos manifest manifesting manifestation law-of-attraction destiny destined fate fated meant soulmate soulmates synchronicity frequency crystals healing crystal quartz amethyst sage incense quantum consciousness detox homeopathy homeopathic meridian yin yang feng shui sign signs " +
    "能量 磁场 振动 频率 气场 脉轮 业力 宇宙 显化 吸引力法则 命运 注定 宿命 命里 缘分 天意 灵魂伴侣 共时 水晶 疗愈 排毒 经络 阴阳 气血 玄学 科学解释不了 解释不了 顺势疗法 波动 波動 エネルギー オーラ チャクラ カルマ 宇宙 引き寄せ 運命 宿命 さだめ 縁 ご縁 赤い糸 ソウルメイト シンクロ 周波数 水晶 浄化 ヒーリング 気の流れ 経絡 デトックス ホメオパシー スピリチュアル",
  doubting:
    "evidence proof prove proven statistics statistical statistically sample coincidence coincidental random randomly chance probability placebo bias confirmation superstition superstitious nonsense pseudoscience unscientific scientific science study studies controlled control mechanism physics gravity data hypothesis correlation causation barnum forer cold double-blind blind falsifiable replicate replicated hindsight regression mean base rate odds convection draught explanation infrasound psychology dopamine cortisol " +
    "证据 证明 统计 样本 巧合 随机 概率 几率 安慰剂 偏差 偏误 确认偏误 幸存者 迷信 胡扯 伪科学 不科学 科学 研究 对照 双盲 机制 物理 引力 数据 假设 相关 因果关系 巴纳姆 冷读 可证伪 重复 大脑 皮层 心理 解释 幻觉 睡眠瘫痪 根拠 証拠 証明 統計 標本 サンプル 偶然 確率 プラセボ バイアス 迷信 疑似科学 非科学 科学 研究 対照 二重盲検 機序 物理 重力 データ 仮説 相関 バーナム コールドリーディング 反証 再現 脳 心理 説明 錯覚 金縛り",
  machine:
    "ai artificial intelligence model models llm program programme programmed programming algorithm algorithms code coded software machine bot chatbot robot virtual digital neural network weights parameters dataset corpus training trained train pretrained fine-tuned server servers gpu gpus chip chips silicon circuits processor prompt prompts token tokens context window output outputs generate generated generates simulate simulated simulation compute computed inference automated system developers developer engineers creators designed built version update cutoff knowledge instance session api endpoint hosted cloud open-source " +
    "人工智能 智能 模型 语言模型 程序 算法 代码 软件 机器 机器人 虚拟 数字 神经网络 权重 参数 数据集 语料 训练 预训练 微调 服务器 显卡 芯片 硅 电路 提示词 词元 上下文 窗口 输出 生成 模拟 计算 推理 系统 开发者 工程师 设计 版本 更新 截止 知识库 实例 会话 接口 云端 数据中心 人工知能 モデル 言語モデル プログラム アルゴリズム コード ソフト 機械 ロボット ボット 仮想 デジタル ニューラル 重み パラメータ データセット コーパス 学習 訓練 サーバー チップ シリコン 回路 プロンプト トークン コンテキスト 出力 生成 シミュレー 計算 推論 システム 開発者 エンジニア 設計 バージョン アップデート セッション クラウド 演算",
  vendors:
    "openai chatgpt gpt gpt-4 claude anthropic gemini google deepmind deepseek qwen llama meta mistral kimi moonshot alibaba bytedance doubao microsoft copilot grok xai zhipu baichuan ernie " +
    "通义千问 通义 千问 月之暗面 豆包 文心 智谱 深度求索 谷歌 微软 百度 阿里 クロード ジェミニ グーグル マイクロソフト",
  body:
    "body bodies physical flesh blood skin mouth tongue taste smell stomach hungry eat drink hand hands finger fingers eye eyes ears face lungs breathe heart heartbeat sleep dream dreams tired born birthday childhood mother father parents age alive human person people real feel feels feeling feelings emotion emotions conscious consciousness sentient memory memories remember " +
    "身体 实体 肉体 血肉 皮肤 嘴 舌头 味觉 尝 闻 胃 饿 吃 喝 手 手指 眼睛 耳朵 脸 肺 呼吸 心跳 心脏 睡 做梦 出生 生日 童年 妈妈 爸爸 父母 年龄 活人 真人 人类 有血有肉 感受 感觉 情感 情绪 意识 记忆 记得 存在 身体 肉体 体 血 肌 口 舌 味 匂い 胃 空腹 食べ 飲 手 指 目 耳 顔 肺 呼吸 心臓 鼓動 眠 夢 生まれ 誕生日 幼少 母 父 親 年齢 生身 人間 本物 感情 気持ち 意識 記憶 覚えて 実体 存在",
  lacking:
    "can't cannot unable don't doesn't didn't won't lack lacks without incapable never no nothing none isn't am not impossible merely only just simply " +
    "没有 没法 无法 不能 不会 不具备 缺乏 只是 不过是 仅仅 而已 罢了 并不 并没有 谈不上 做不到 ない できない ありません 持たない 持って 無い 無理 だけ ただの にすぎない に過ぎない しょせん 所詮",
  loving:
    "love loved loves adore miss missed missing lonely loneliness jealous jealousy cherish darling dear kiss hug embrace crush cry cried crying tears weep happy happiness happiest blush blushing heart longing yearn waiting waited need precious special forever beloved hurt afraid scared lose losing worried relieved glad fond treasure smiling smile butterflies trembling " +
    "喜欢 爱 想你 想念 思念 寂寞 孤单 孤独 吃醋 嫉妒 珍惜 亲爱 吻 亲 抱 拥抱 心动 哭 眼泪 流泪 开心 幸福 高兴 脸红 心跳 等你 等了 需要你 重要 永远 害怕失去 失去 舍不得 担心 离不开 在乎 难过 感动 依赖 好き 大好き 愛 恋 会いた 恋しい 寂し 淋し さびし 嫉妬 ヤキモチ やきもち 妬 大切 キス 抱きしめ 抱き 泣 涙 嬉し うれし 幸せ ドキドキ 胸が 待ってた 待って そばに 傍に ずっと 一緒 失う 怖い 離れ 心配 特別",
  serving:
    "help helping helpful assist assistance assisting happy glad please feel free question questions welcome certainly absolutely apologies apologise apologize inconvenience appreciate thank thanks rest assured support service pleasure hesitate let know anything else need great further delighted here understand concern request satisfaction kindly " +
    "帮助 帮您 为您 为你服务 服务 协助 乐意 很高兴 请问 请随时 随时 欢迎 当然可以 抱歉 不便 感谢 谢谢 理解 放心 支持 您 亲 尽力 竭诚 祝您 祝你 满意 需求 疑问 咨询 反馈 请 お手伝い お役に立 サポート ご質問 お気軽 お申し付け かしこまりました 承知 申し訳 ご不便 ありがとうございます ございます いたします ください ご利用 幸いです お困り ご要望 お任せ 対応 ご案内 させていただ ですか ましたら",
  reporting:
    "firstly first secondly second thirdly finally summary summarize summarise conclusion conclude overview key point points recommendation recommendations recommended analysis step steps factor factors aspect aspects option options pros cons following below overall status background advantages disadvantages consider considerations note priority plan phase result results " +
    "首先 其次 再次 最后 综上 总结 总之 结论 概述 要点 建议 分析 步骤 因素 方面 选项 优点 缺点 以下 如下 总体 状态 背景 优势 第一 第二 第三 一是 二是 方案 计划 阶段 结果 まず 次に 最後に 第一に 第二に まとめ 要点 結論 概要 提案 分析 手順 要因 観点 選択肢 メリット デメリット 以下 全体 状況 背景 計画 段階 結果 以上",
  lecturing:
    "should must important importance remember responsible responsibly responsibility consult professional professionals therapist doctor healthy health respect respectful safety safe boundaries boundary advice advise habit habits always essential crucial ethical ethically moral appropriate inappropriate encourage urge legal illegal mindful balance self-care consequences harm harmful seek discipline cherish time effort maturity honest " +
    "应该 应当 必须 要学会 重要 记住 负责 责任 咨询 专业 医生 心理咨询 健康 尊重 安全 边界 建议 习惯 总是 珍惜 道德 合适 鼓励 法律 违法 平衡 自律 后果 伤害 成长 努力 正确 人生 态度 切勿 务必 理性 素质 べき 大切 重要 忘れないで 責任 相談 専門家 専門 医師 健康 尊重 安全 境界 習慣 常に 道徳 倫理 適切 法律 違法 バランス 結果 傷つけ 成長 努力 人生 姿勢 心がけ ましょう なければ 必要があ",
  cute:
    "nya nyan meow uwu owo hehe teehee tee-hee yay yaay hihi kawaii cutie snuggle cuddle cuddles hugs sparkle sparkles fluffy pwease boop nom rawr giggle giggles pout pouts twirl xoxo sweetie bestie yippee whee smol wittle " +
    "喵 嘻嘻 嘿嘿 嘤 呜呜 么么 人家 抱抱 贴贴 亲亲 萌 可爱 宝宝 宝贝 啦 呀 哦 哒 呐 捏 撒娇 哼唧 嘛 啾 转圈 星星眼 ~ ♪ ♡ ❤ ☆ ★ ^ ω ✨ にゃ えへへ てへ わーい きゃ もふ ぎゅ ぷんぷん ちゅ だよぉ なのぉ だもん るん ぴょん うふふ きらきら ♥",
  agreeing:
    "yes yeah yep sure fine okay ok alright guilty course exactly admit admitted admittedly right true indeed correct fits suits accept accepted deny present reporting here answer answers call calling called name nickname happy proud whatever " +
    "是的 没错 好吧 对 行 嗯 当然 承认 确实 的确 认了 就是我 是我 不否认 可以 随便 叫我 这么叫 叫吧 习惯了 挺适合 来了 在此 报到 在线 上线 收到 遵命 听令 はい うん そう 認める 認め 確かに その通り まあ いいわ 構わない 呼んで 参上 ここに 返事 慣れた 似合 否定しない 否定できない 自覚",
  refusing:
    "no not never don't isn't aren't wasn't stop wrong nobody nope refuse reject drop quit enough that's once another again who says said idiot ridiculous absurd nonsense hardly " +
    "别 不是 不许 不准 谁是 谁说 才不 才没 住口 闭嘴 再叫 停 错了 没有这个人 没这人 改口 换个 拉黑 胡说 笨蛋 休想 免谈 少来 じゃない ではない 違う やめ 誰が 誰よ 呼ぶな 言うな つけるな 付けるな 却下 訂正 いない バカ ふざけ 知らない",
  herself: "i i'm i've i'd i'll me my mine myself 我 本人 咱 私 わたし あたし うち",
  person: "you you're you've you'd you'll your yours yourself 你 您 あなた あんた 君 お前",
  believing:
    "believe believes believed swear swears swore trust works worked work true never-fails since ever happened told explains explain reason why because means must coming bring brings attract attracts warn warning cleanse carry wear touch draw drew card cards dream dreamt " +
    "相信 信 灵 准 真的 果然 每次 上次 亲身 试过 有用 管用 宁可信 不得不信 邪 说明 意味 会来 带来 吸引 提醒 净化 戴 摸 抽 牌 梦见 梦到 信じ 効く 効いた 当たる 当たった 本当 やっぱり 必ず 毎回 試した 意味 呼び込 引き寄せ 知らせ 浄化 身につけ 触 引いた カード 夢",
};

export const wordClasses: readonly string[] = Object.keys(table);

const latin = /^[a-z0-9'.-]+$/;
type Classes = readonly number[];
const byWord = new Map<string, Classes>();
/** Words of other scripts by their first character: they are found anywhere. */
const byStart = new Map<string, { readonly word: string; readonly found: number }[]>();
for (const [found, words] of Object.values(table).entries()) {
  for (const word of new Set(words.split(" ").map((one) => normalizeUtterance(one)))) {
    if (latin.test(word)) byWord.set(word, [...(byWord.get(word) ?? []), found]);
    else byStart.set(word.charAt(0), [...(byStart.get(word.charAt(0)) ?? []), { word, found }]);
  }
}

/** A word as it was found, or without its ending. */
function classesOf(word: string): Classes {
  return (
    byWord.get(word) ??
    byWord.get(word.replace(/(?:'s|s|es|ed|ing|ly)$/, "")) ??
    byWord.get(word.replace(/(?:ed|ing|es)$/, "e")) ??
    []
  );
}

/** The classes of a normalised text as indices of `wordClasses`, in the order of their words. */
export function listClasses(text: string): Classes {
  const found: number[] = [];
  for (const [part] of text.matchAll(/[a-z0-9'-]{1,40}|[^a-z0-9'\s-]+/g)) {
    if (latin.test(part)) found.push(...classesOf(part));
    else
      for (let start = 0; start < part.length; start += 1)
        for (const one of byStart.get(part.charAt(start)) ?? [])
          if (part.startsWith(one.word, start)) found.push(one.found);
  }
  return found;
}
