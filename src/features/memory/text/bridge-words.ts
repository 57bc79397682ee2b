import { foldText } from "../../../store/search/fold-text.ts";
import { findWords, isLetter } from "../../../store/search/find-words.ts";

/**
 * Subjects that people ask about, and the words in which they state them: 「生日」 finds 「出生」, 「宠物」 finds 「猫」. Left of the
 * bar are words for the subject as a whole, right of it words for its parts. A question with a word of the left side
 * asks for all of the line; one with a word of the right side for the left side. The chat log has question-words.ts.
 */
const subjects: readonly string[] = [
  // Names and family
  "生日 出生 生于 诞生 几岁 多大 年龄 岁数 年纪 蛋糕 | 岁 年生 月生 属相 周岁",
  "名字 叫什么 称呼 昵称 外号 怎么叫 | 叫我 大家叫 叫做 名叫 小名 网名",
  "住 住在 住哪 住址 城市 地址 家在 哪座城 几层 几楼 | 搬到 搬去 搬家 定居 小区 公寓 宿舍 租房 楼 街 路 号楼",
  "老家 家乡 籍贯 哪里人 哪儿人 祖上 祖籍 出身 故乡 从哪 | 长大 小镇 农村 县城 老屋 村",
  "工作 职业 做什么 干什么 干啥 行业 从事 谋生 上班 公司 单位 | 任职 入职 就职 部门 工程师 程序员 医生 护士 老师 教师 律师 会计 设计师 司机 厨师 记者 摄影师 销售 经理 公务员 后端 前端 开发 写代码 开店 餐馆 医院 学校 工厂 当兵 退休",
  "团队 下属 手下 同事 领导 老板 | 带 人 组长 主管 经理 总监",
  "办公地点 办公室 办公 | 园区 号楼 大厦 写字楼 工位 远程",
  "加班 九九六 996 | 加班 工时 下班 深夜",
  "薪水 工资 收入 挣钱 挣过 赚钱 挣多少 | 月薪 年薪 打工 兼职 攒了 奖金 稿费",
  "存款 理财 攒钱 储蓄 积蓄 | 存 攒 基金 股票 目标",
  "房租 租金 租房 | 房租 押金 租 月租",
  "欠 借 贷款 还钱 银行 债 | 房贷 车贷 花呗 信用卡 还款 白条 没还 还有",
  "财政 管钱 零花 生活费 打钱 | 工资 转给 两千 每月 家里给",
  "学校 毕业 大学 母校 哪所 学历 | 浙大 北大 清华 大学 学院 本科 硕士 读的 念",
  "专业 学什么 念什么 | 系 学的是 主修 医学 计算机 法学 金融",
  "研究生 研究 论文 课题 题目 | 硕士 博士 论文 方向 实验",
  "导师 老师 教授 带我 指导 辅导员 | 导师 教授 导员 班主任 推荐信",
  "年级 上学 读书 念几年级 | 小学 初中 高中 大一 大二 大三 大四 年级 幼儿园",
  "离校 毕业时间 毕业以后 | 毕业 考研 就业 后年 六月",
  "实习 见习 | 实习",
  "考试 备考 准备考 考证 | 考 日语 雅思 托福 考研 驾照 科目 四级 六级 证",
  "外语 英语 日语 语言 水平 英文词汇 | 六级 四级 雅思 托福 单词 口语 n1",
  "留学 出国 交换 哪个国家 | 交换 签证 大阪 东京 英国 美国 日本",
  "荣誉 得奖 获奖 得过 奖 | 奖学金 冠军 第一名 证书 国家级",
  "社团 参加 协会 俱乐部 | 加入 社 校队 协会 成员",
  "证件 护照 身份证 签证 | 到期 有效期 换发",
  // People
  "家人 家里人 亲人 家庭 | 爸 妈 父亲 母亲 爷爷 奶奶 外婆 外公 老婆 老公 儿子 女儿 哥哥 姐姐 弟弟 妹妹 孩子",
  "兄弟姐妹 兄弟 姐妹 手足 | 哥哥 姐姐 弟弟 妹妹 哥 姐 弟 妹 双胞胎 独生",
  "爸爸 父亲 我爸 老爸 爸妈 父母 | 爸 父",
  "妈妈 母亲 我妈 老妈 爸妈 父母 | 妈 母",
  "孩子 娃 小孩 老大 儿女 | 儿子 女儿 宝宝 怀孕 预产期 出生 大女儿 小儿子",
  "长辈 祖辈 | 爷爷 奶奶 外公 外婆 姥姥 姥爷 丈母娘 公公 婆婆",
  "对象 恋人 另一半 伴侣 情侣 | 男朋友 女朋友 男友 女友 老公 老婆 妻子 丈夫 未婚",
  "恋情 感情史 前任 分手 | 前女友 前男友 分手 分的手 恋爱",
  "喜欢谁 心里有谁 意中人 | 暗恋 喜欢的人 追求 同学",
  "结婚 婚礼 婚事 成家 | 婚 领证 办酒 未婚",
  "朋友 好友 哥们 闺蜜 | 闺蜜 同桌 发小 死党 密友 室友 最好的",
  "室友 同住 合租 | 室友 打呼噜 舍友",
  "来我家 做客 客人 | 来住 来玩 上门 丈母娘",
  "相处 关系 沟通 跟家人 | 沟通 吵架 和好 矛盾 亲近",
  "军人 军队 参军 | 部队 当兵 服役 退伍",
  "法律 官司 | 律师 法官 诉讼 合同",
  "做餐饮 开饭店 | 餐馆 饭店 厨师 奶茶店",
  // Animals, plants, things
  "宠物 小动物 动物 毛孩子 养了什么 | 猫 狗 仓鼠 兔子 鹦鹉 金鱼 乌龟 三花 橘猫 英短 金毛 柯基 哈士奇 泰迪 养",
  "狗 狗狗 犬 | 金毛 柯基 哈士奇 泰迪 拉布拉多 柴犬",
  "猫 猫咪 喵 | 三花 橘猫 英短 布偶 狸花",
  "植物 花草 盆栽 | 多肉 绿萝 阳台 盆 种了 月季",
  "车 开车 座驾 汽车 代步 | 小鹏 特斯拉 比亚迪 大众 丰田 宝马 奔驰 奥迪 蔚来 理想 电动车 摩托 自行车 车牌",
  "限行 尾号 | 车牌 尾号",
  "学车 驾校 驾照 | 科目 驾照 路考",
  "交通工具 出远门 坐什么 怎么去 轨道交通 通勤 | 高铁 飞机 火车 地铁 公交 自驾 号线",
  "电脑 笔记本 计算机 | macbook thinkpad 联想 华为 台式 m1 m2 m3 显卡",
  "手机 电话 机型 | 小米 苹果 iphone 华为 三星 安卓",
  "平板 设备 记笔记 | ipad 平板 手写",
  "网络 无线 上网 | wifi 路由器 宽带",
  "电器 家电 保修 维修 免费修 | 冰箱 洗衣机 空调 电视 保修",
  "纪念品 礼物 送我 送东西 | 手表 项链 留下 传家",
  "尺码 鞋 多大的 | 码 鞋码 尺寸",
  "随身 带什么 出门带 | 出门 带伞 钥匙 充电宝",
  "丢了 没了 被偷 | 被偷 丢 弄丢 坏了",
  // Body
  "过敏 不能吃 忌口 禁忌 留心 | 过敏 花生 海鲜 牛奶 青霉素 肿 疹 皮试 乳糖 拉肚子 心慌",
  "打针 用药 药物 吃药 | 青霉素 皮试 药 头孢",
  "病 慢性病 毛病 健康 身体 体检 | 高血压 糖尿病 脂肪肝 胃炎 哮喘 手术 吃药 每天吃",
  "受伤 骨折 受过什么伤 伤 | 摔断 扭 手术 半月板 锁骨 韧带 骨",
  "眼睛 视力 | 近视 度 眼镜 隐形 散光",
  "口腔 牙 牙齿 | 智齿 拔 牙套 蛀牙 补牙",
  "身高 多高 个子 | 米 厘米 一米",
  "体重 减肥 胖 瘦 | 公斤 斤 减 胖",
  "血型 什么血 | 血型 ab",
  "惯用手 哪只手 | 左撇子 右撇子",
  "睡眠 睡觉 休息 晚上 失眠 几点休息 | 睡 耳塞 熬夜 凌晨 打呼噜 睡不着",
  "起床 早上什么时候 起来 | 点半 起床 早起",
  "抽烟 吸烟 | 戒烟 烟",
  // Habits and likes
  "锻炼 运动 健身 体育 有氧 | 跑步 夜跑 游泳 羽毛球 篮球 足球 瑜伽 力量 公里 健身 踢球 骑行 校队",
  "下水 水性 | 游泳 蛙泳 自由泳",
  "撸铁 举铁 | 力量训练 健身 哑铃",
  "足球 俱乐部 球队 球迷 | 国际米兰 皇马 巴萨 曼联 球队",
  "喝 饮料 喝什么 饮品 提神 带饮料 | 咖啡 美式 拿铁 茶 可乐 奶茶 啤酒 果汁 龙井 雪碧 豆浆",
  "咖啡 拿铁 美式 提神 | 美式 拿铁 清醒 心慌 意式",
  "茶 泡茶 茶叶 | 龙井 普洱 铁观音 红茶 绿茶",
  "甜度 甜 | 三分糖 半糖 全糖 无糖 去冰",
  "乳制品 奶 | 牛奶 酸奶 奶酪",
  "吃什么 爱吃 口味 点菜 食物 讲究 避开 | 火锅 辣 醋 香菜 毛肚 面 甜 咸 不吃 素 海鲜",
  "早饭 早餐 早上吃 | 豆浆 油条 包子 面包 早饭",
  "火锅 涮肉 涮 | 毛肚 鸭肠 虾滑 锅底",
  "音乐 听歌 歌手 听什么 粉 追星 偶像 | 摇滚 民谣 爵士 古典 乐队 周杰伦 周深 演唱会 歌",
  "乐器 才艺 特长 会弹 | 吉他 钢琴 小提琴 古筝 鼓 十级",
  "电影 影视 动画 片子 看哪类 | 宫崎骏 动画 科幻 恐怖片 喜剧 漫威 动漫 电影 番",
  "惊悚 吓人 鬼片 | 恐怖片 恐怖 不敢看",
  "书 阅读 读什么 | 在读 三体 小说 第二部 本",
  "游戏 电玩 打什么 | 塞尔达 原神 王者 主机 switch 玩",
  "穿衣 衣服 风格 打扮 | 优衣库 基础款 裙 西装 黑色",
  "颜色 色调 什么色 | 红色 蓝色 绿色 墨绿 黑色 白色 紫色",
  "旅行 旅游 出去玩 度假 出远门 | 去 冰岛 日本 看极光 民宿 酒店 自驾 海边 机票",
  "住哪种 住宿 | 民宿 酒店 青旅",
  "编程 代码 写程序 编程语言 | rust java python go c++ typescript",
  "系统设计 架构 | 微服务 单体 分布式",
  "聊天方式 沟通方式 跟我沟通 联系 | 语音 打字 微信 电话 文字",
  "星期三 周三 礼拜三 | 每周三 周三",
  "休息日 周末 礼拜天 空闲 | 周末 星期六 星期天 假日",
  "安排 计划 打算 日程 | 准备 要上 下周 年底 计划",
  "放假 年假 休假 能休 | 年假 天 调休",
  "春节 过年 除夕 | 过年 回去 年夜饭",
  "祭祖 扫墓 上坟 | 清明 扫墓",
  "理想 梦想 愿望 以后想 | 想当 希望 目标 想成为",
  "财产 家产 | 房子 车 存款",
  "拍照 摄影 器材 | 相机 镜头 胶片 单反 微单",
  "话费 通讯费 流量 | 套餐 手机卡 宽带",
  "花销 费用 多少钱 价格 | 元 块 千 万 月供 学费 电费 水费",
  "跑步 长跑 长距离 比赛 | 马拉松 跑 公里 半程 越野",
  "电视剧 连续剧 剧 追剧 | 在追 看完 大结局 集",
  "综艺 节目 | 脱口秀 真人秀 晚会",
  "测验 考试 考核 | 期中 期末 考 小测 补考",
  "亲戚 亲人 长辈 | 堂哥 堂姐 表哥 表姐 表弟 表妹 舅舅 姑姑 叔叔 阿姨 姨妈 岳父 岳母 侄子",
  "互联网 大厂 科技公司 | 腾讯 阿里 字节 百度 美团 京东 华为 网易 谷歌 微软",
  "主食 饮食 控制饮食 | 米饭 面食 馒头 少吃 忌口 血糖",
  "经验 资历 多久了 年限 | 三年 五年 多年 工龄 入行 从业",
  "物业 修水管 漏水 报修 | 物业 维修 师傅 电话 水管 马桶",
  "修理 求助 帮忙 坏了找谁 | 会修 修 维修 师傅",
  "医院 看病 医生 氛围 | 医患 病人 挂号 科 医生 护士",
  "评价 点评 印象 | 觉得 认为 太 喜欢 讨厌",
  "哪天 什么时候 几号 日期 何时 哪个晚上 | 号 月 周一 周二 周三 周四 周五 周六 周日 星期 明天 下周 下个月",
  "家务 清洁 打扫 洗衣 | 扫地 拖地 机器人 洗碗 保洁 晒衣服",
  "甜点 零食 点心 | 巧克力 蛋糕 冰淇淋 饼干 薯片",
  "方便食品 速食 | 泡面 方便面 螺蛳粉 速冻",
  "味道 气味 香味 | 香水 香薰 柑橘 木质",
  "头发 发型 理发 | 理发店 剪 染 烫",
  "听力 耳朵 听觉 | 耳 耳机 助听器",
  "预约 约好 见面 | 见 约 预约 门诊 点",
  "取暖 冬天 | 地暖 暖气 空调",
  "户外 爱好 消遣 休闲 兴趣 | 钓鱼 露营 徒步 爬山 骑行 摄影 画画 下棋",
  "炒股 投资 | 股票 基金 亏 赚 套",
  "文具 写字 | 钢笔 铅笔 本子",
  "聚会 聚餐 团聚 | 同学会 生日会 聚 年会",
  "编号 号码 | 学号 工牌 工号 号 尾号",
  "头像 账号 社交 | 微信 微博 抖音 笔名 用户名 企鹅号",
  "短视频 抖音 直播 | 刷 直播 带货 短视频",
  "成绩 分数 考了多少 | 分 高考 名次 二等奖 满分",
  "断电 熄灯 门禁 | 熄灯 关门 断网",
  "回家 返乡 | 票 车票 机票 高铁 回去",
  "公积金 社保 医保 | 账户 公积金 社保 缴",
  "高温 炎热 夏天 | 中暑 防晒 怕热",
  "狭小 高处 黑暗 | 幽闭 恐高 电梯 怕黑",
  "资质 证书 认证 考过 | 证书 证 执照 pmp 考到",
  "在外地 生活过 待过 | 待过 住过 呆过 曾在",
  "证件丢了 补办 | 补办 挂失 派出所 遗失",
  // Opinions
  "看法 怎么看 怎么看待 态度 想法 觉得 信不信 怎么想 对待 意见 | 觉得 认为 相信 不相信 怀疑 支持 反对 毫无",
  "感情 心情 感受 怎么样的感觉 | 感激 害怕 讨厌 难过 开心 阴影 想念",
  "怕 害怕 恐惧 不敢 | 怕 害怕 阴影 不敢 恐",
  "生气 讨厌 烦 反感 受不了 | 讨厌 反感 烦 迟到 气",
  "中医 汤药 喝中药 | 中医 草药 针灸",
  "占星 星象 算命 | 星座 塔罗 风水",
  "补习 课外 辅导 培训 | 补习班 家教 兴趣班",
  "人工智能 ai 机器 | 人工智能 ai 大模型 取代 岗位",
  "在家干活 居家 在家办公 | 远程 办公 通勤",
  "倾向 选择 更愿意 | 偏爱 更 稳妥 宁愿",
  // English
  "birthday born age old | born birthday years",
  "live city home address town | moved live flat house lives",
  "job work profession living career employer | works engineer nurse doctor teacher lawyer company hospital office",
  "pet animal | cat dog tabby hamster rabbit puppy kitten parrot named",
  "allergic allergy allergies avoid | allergic hives shellfish peanuts nuts intolerant rash",
  "coffee drink tea beverage | coffee latte flat white espresso tea milk beer wine drinks",
  "siblings brother sister family parents | brother sister mother father mum dad twin",
  "exercise sport fitness workout | runs running swims gym yoga kilometres miles football cycling",
  "university college school study degree | studied graduated university degree college physics",
  "car drive vehicle | drives car mini tesla toyota bike",
  "music band songs listen | jazz rock records band concert listens guitar",
  "husband wife partner spouse boyfriend girlfriend | married engaged wedding partner dating",
  "rent cost pay | pays euros dollars pounds rent month flat",
  "planes plane flight fly flying | flying airport scared flight",
  "feel feeling think opinion | thinks believes scared hates loves afraid",
  "language languages speak | learning speaks spanish portuguese german french chinese japanese",
  "vegetarian vegan diet eat food | meat eats vegan vegetarian fish",
  "name called nickname | named called name",
  // Japanese
  "誕生日 何歳 年齢 生まれ | 生まれ 歳",
  "住んで 住所 どこに住 住まい | 引っ越 住んで 市 区",
  "仕事 職業 勤め 働い | 勤め 病院 会社 看護師 医者 教師 エンジニア 働いて",
  "ペット 飼って | 猫 犬 飼って 三毛猫",
  "アレルギー 食べられない 苦手な食べ物 | じんましん アレルギー えび 卵 そば",
  "コーヒー 飲み物 好きな飲み | ラテ 紅茶 お茶 コーヒー 毎朝 飲む",
  "兄弟 姉妹 家族 | 妹 姉 兄 弟 父 母",
  "運動 スポーツ | 走る 泳ぐ キロ ジム サッカー ヨガ",
  "出身校 大学 学校 | 大学 学んだ 卒業",
  "車 クルマ 運転 | 乗って 車 ミニ",
  "音楽 曲 趣味 | ジャズ ロック 聴く バンド",
  "夫 妻 旦那 結婚 相手 | 結婚 夫 妻",
  "家賃 部屋代 いくら | 家賃 万円 月",
  "飛行機 空の旅 飛ぶ | 飛行機 怖い 空港",
  "名前 呼び方 | 呼んで 名前 飼って",
];

interface Subject {
  readonly whole: readonly string[];
  readonly parts: readonly string[];
}

const read = (side = ""): readonly string[] => [...new Set(side.trim().split(/\s+/).map(foldText))];
const table: readonly Subject[] = subjects.map((line) => {
  const [whole, parts] = line.split("|");
  return { whole: read(whole), parts: read(parts) };
});

/** For each subject that the text asks for: the words to look for besides its own. */
export function listBridges(text: string): readonly (readonly string[])[] {
  const folded = foldText(text);
  const stems = new Set(findWords(folded));
  const isIn = (word: string) =>
    isPlain(word) ? findWords(word).some((stem) => stems.has(stem)) : folded.includes(word);
  return table.flatMap(({ parts, whole }) => {
    if (whole.some(isIn)) return [[...whole, ...parts].filter((word) => !isIn(word))];
    return parts.some((word) => word.length > 1 && isIn(word)) ? [whole.filter((word) => !isIn(word))] : [];
  });
}

/** The words of the index that a word of a bridge is found by: of a longer one its pairs, never its single letters. */
export function findBridgeWords(word: string): readonly string[] {
  const words = findWords(word);
  return word.length === 1 ? words : words.filter((one) => !isLetter(one));
}

const isPlain = (word: string): boolean => /^[a-z0-9+]+$/.test(word);
