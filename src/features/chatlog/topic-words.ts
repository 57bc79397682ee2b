const list = (words: string): readonly string[] => words.trim().split(/\s+/);

/** Words that occur in any talk, whatever its subject; other words that are said often are topics. */
export const fillingWords: ReadonlySet<string> = new Set([
  // Chinese
  ...list(`
    我们 你们 他们 她们 它们 咱们 大家 自己 别人 人家 有人 没人 每个 每次 这个 那个 哪个 这些 那些 哪些 这样 那样 怎样 这么 那么 怎么 多么
    这里 那里 哪里 这儿 那儿 哪儿 这边 那边 什么 什么样 为什么 为何 怎么样 怎么办 如何 多少 几个 一个 两个 三个 一些 一点 一下 一样 一直 一起
    一定 一般 一次 一天 不是 不会 不能 不要 不用 不想 不过 不行 不对 不好 不了 不知道 不然 没有 没事 没法 没关系 还有 还是 还没 还要 就是
    就行 就好 可以 可能 可是 但是 而且 而是 然后 所以 因为 如果 要是 虽然 不管 只是 只有 只要 只能 其实 确实 真的 真是 当然 果然 居然 竟然
    反正 毕竟 而已 应该 必须 需要 能够 愿意 觉得 感觉 认为 以为 知道 记得 发现 看到 看见 看看 听说 听到 想要 希望 喜欢 打算 准备 开始 结束
    继续 变成 成为 出来 出去 进来 进去 过来 过去 回来 回去 起来 下来 下去 上来 上去 到了 来了 去了 好了 行了 算了 完了 对了 是的 好的 好吧
    好像 好多 好久 很多 很好 非常 特别 比较 最近 最后 最好 更好 之前 之后 以前 以后 后来 刚才 刚刚 现在 今天 昨天 明天 后天 前天 今晚 昨晚
    明晚 早上 上午 中午 下午 晚上 半夜 凌晨 时候 时间 有时 有时候 平时 那时 当时 同时 随时 马上 立刻 已经 曾经 正在 快要 终于 突然 经常 总是
    从来 永远 偶尔 再说 再见 你好 您好 谢谢 感谢 多谢 抱歉 对不起 不好意思 没问题 请问 麻烦 哈哈 哈哈哈 哈哈哈哈 呵呵 嘿嘿 嘻嘻 嗯嗯 哎呀
    哎哟 卧槽 我去 我靠 牛逼 厉害 可怕 加油 辛苦 东西 事情 问题 地方 情况 方面 部分 原因 结果 办法 方式 样子 意思 的话 是不是 有没有 能不能
    要不要 会不会 可不可以 行不行 好不好 对不对 或者 以及 并且 除了 关于 对于 根据 由于 通过 直接 随便 差不多 几乎 大概 也许 估计 基本 完全
    全部 所有 任何 其他 其它 另外 别的 上次 下次 这次 那次 第一 第二 第三 上周 下周 本周 这周 上个月 下个月 这个月 今年 去年 明年 周末 周一
    周二 周三 周四 周五 周六 周日 星期一 星期二 星期三 星期四 星期五 星期六 星期天 星期日 有点 有些 有的 说话 说过 告诉 问问 试试 等等
    图片 表情 语音 视频 链接 文件 动画表情 回复 转发 引用 撤回 一条 消息 帮我 给我 让我 跟我 我的 你的 他的 她的 我也 你也 都是 都会 也是
    也会 又是 还会 才能 才会 不到 得到 做到 找到 拿到 遇到 没什么 什么的 怎么了 干嘛 干什么 搞定 弄好 做好 的时候 可不是 那就 这就 先去 记住
    聊聊 聊过 说说 讲讲 看了 吃了 买了 来不及 差点 一会儿 待会儿 待会 等会 一会 多久 多长 多大 几点 几天 几次 几年 小时 分钟 几号 什么时候`),
  // Japanese, as far as it is not written in hiragana alone
  ...list(`
    今日 昨日 明日 今 時 何 私 僕 俺 君 彼 彼女 人 事 物 所 方 前 後 中 上 下 一 二 三 思う 言う 見る 行く 来る 出る 時間 最近 本当 大丈夫 自分
    全然 多分 一緒 普通 来週 先週 今週 来月 先月 今月 来年 去年 今年 毎日 毎週 今朝 今晩 昨夜 時々 少し 何か 何時 何処 誰 気 感じ 場合 結構 絶対
    一番 今回 前回 次回 日曜日 月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 週末 ありがとう ヤバい マジ ダメ 駄目 写真 動画 本 手 目 皆 皆さん 日 月 年`),
  // English
  ...list(`
    the and for you are was were but not with this that these those have has had having from they them their there here what when where which who whom
    whose why how all any both each few more most other some such only own same than too very can could will would shall should may might must just don
    now then also about above after again against because been before being below between did does doing down during further her hers him himself his
    its itself let into off once our ours out over she under until while your yours yourself yes yeah yep nope okay lol lmao haha hahaha omg wow hey
    hello hi thanks thank please sorry sure really actually maybe probably like know think want need going gonna wanna got get gets getting give make
    makes made much many lot lots little bit thing things something anything nothing everything someone anyone everyone people guy guys time times day
    days today tomorrow yesterday tonight week weeks month months year years good great nice cool fine bad well right left back still even ever never
    always often sometimes already yet way see saw seen look looks looking say says said saying tell told ask asked come came coming went gone take
    took taken use used using one two three first second last next new old big small long sounds sound feel feels felt keep kept put try tried trying
    work works working done did didn doesn don isn aren wasn weren won wouldn couldn shouldn haven hasn hadn can't don't isn't i'm i've i'll i'd it's
    that's you're you've we're they're let's what's there's he's she's wasn't didn't doesn't won't http https www com image photo sticker file video
    hope glad happy love loved best better idea kind sort part end start started since around though through without within`),
]);

/** Letters that a two-letter Chinese topic never begins or ends with: 吃了, 搬到, 三次, 也要. */
export const looseBeginnings: ReadonlySet<string> = new Set(
  "的了着过吗呢吧啊呀嘛哦哈嗯也都还就又才再很太更最不没别被把给跟和与或而且但让叫使从往向对于在是有要会能可该想去来说这那哪每各某你我他她它您咱谁几两一二三四五六七八九十百千万半第",
);
export const looseEnds: ReadonlySet<string> = new Set("的了着过吗呢吧啊呀嘛哦到得个只条次些点完好掉住们么是在下");
/** A word of three that begins with one is a piece of a sentence, too: 我知道. */
export const pronouns: ReadonlySet<string> = new Set("我你他她它您咱这那");
/** Verbs that follow their object, and are no part of it: 高铁票抢. */
export const verbs: ReadonlySet<string> = new Set(
  "吃喝买卖抢约打玩看听说做开走跑找拿给用写读问想送带等换修租搬寄发接停退办订赶催借",
);
