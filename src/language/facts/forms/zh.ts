import type { FactForm } from "../plain-fact.ts";
import { isPlaceName, looksLikePlace } from "./place-names.ts";

/** Words between 我 and what it says that change nothing about it. */
const very = "(?:真的|其实|一直|最|很|特别|非常|超级?|挺|蛮|比较|更|也|都|还是?|就|有点儿?|可|太){0,3}";
const now = "(?:现在|目前|平时|一般|从来|一向|一直|常年|也|都|就){0,2}";
const lately = "(?:已经|刚|最近|前阵子|前几天|上个?月|上周|去年|今年|现在|又|都){0,2}";
const name = String.raw`[\p{Script=Han}·]{2,5}|[A-Za-z][A-Za-z'’. -]{0,24}|[ぁ-んァ-ヶー]{2,10}`;

/** 我叫外卖, 我叫他来, 我叫了车 */
const noName =
  /^(?:[他她它你您咱谁别不没了去来过着着这那个一两]|外卖|滴滴|出租|救护|警察|保安|快递|跑腿|客服|服务|停|好车|苦|醒|大家|老板|朋友|同事|老师|妈|爸|孩子|车|人)|[了着过吗呢吧的不去来买吃做看说是帮给到拿把在找送]|^(?:什么|外卖|救命|停)$/;
const noThing =
  /^(?:你|您|他|她|它|这|那|上|的|过|了|着|得|到|一个人|谁|某|看到|听到|听你|跟你|和你|被|把|就|死|不|没|和|跟|是|人|莫|答|理|怎|要|会|让|有|对|在|又|再|别|还|路|糊|惑|茫|失|宫|去不|来不|打扰|下雨|下雪|给|为|因为|所以)|你|我|咱|了$|了[,，、]?|[他她它们]|怎样|这样|那样|那个|这个|这[件种些次]|那[件种些次]|下周|这周|上周|明天|昨天|明年|去年|马上|正在|已经|突然|要[来走去]|不.{0,2}不|没人|没有|因为|所以|得很|得不|死了|起来|(.)不\1/;
const work =
  "师|员|医生|大夫|护士|学生|程序员|警察|记者|作家|画家|厨师|司机|教授|律师|研究生|博士生?|硕士生?|本科生|大一新生|高中生|初中生|大学生|会计|设计师|工程师|翻译|导游|军人|公务员|店主|老板|经理|总监|产品经理|自由职业者?|家庭主妇|全职妈妈|演员|歌手|科学家|码农|实习生|创业者|农民|工人|退休";

const noWork =
  /[上下里外中边旁前后晚午末夜天时候间]$|^(?:等|想|考虑|准备|帮|陪|催|劝|找|听|做|周|夏|冬|春|秋|早|半夜|凌晨|地铁|高铁|床|沙发|被窝|边|国外|海外|线上|网上|按时|拼命|继续|正常|远程|在家|天天|每天|加班|偷偷|同时)|^(?:你|他|她|这|那|哪|家|外面|一个|认真|好好|努力|不|没|我|为|说|大家|你们|咱|公司|单位|学校|图书馆|咖啡)|你|傻|笨|最|好学生|坏学生|认真|负责|会员|成员|人员|动物|球员|一员|管理员|教员$|^(?:会|团|党|社)员|店员吗/;

export const zhForms: readonly FactForm[] = [
  {
    category: "fact",
    forms: [
      new RegExp(
        `^我(?:的)?(?:大名|全名|真名|中文名|名字)?(?:现在|如今|以后)?(?:改名|改)?(?:就)?(?:叫|名叫|叫做|名字是|大名是|名字叫)(?<name>${name})$`,
        "u",
      ),
      /^我的名字(?:叫|是)(?<name>[\p{Script=Han}·]{2,5}|[A-Za-z][A-Za-z'’. -]{0,24})$/u,
      /^我姓(?!什么|名)[\p{Script=Han}]{1,2}名?[,,]?叫?(?<name>[\p{Script=Han}]{2,4})$/u,
    ],
    read: ({ name: value = "" }) => (noName.test(value) ? undefined : { key: "name", value }),
  },
  {
    category: "fact",
    forms: [
      /^(?:请|以后|你|可以|就|大家都|朋友都|都){0,3}(?:叫|喊|称呼)我(?:为|做)?(?<name>[\p{Script=Han}·]{2,10}|[A-Za-z][A-Za-z'’. -]{0,24}|[ぁ-んァ-ヶー]{2,10})$/u,
    ],
    read({ name: said = "" }) {
      const value = said.replace(/(?:就好|就行|就可以|即可)了?$|吧$/, "");
      return value.length > 5 ||
        value === "" ||
        noName.test(value) ||
        /起床|一声|一下|回|名字|干|滚|走|怎么/.test(value)
        ? undefined
        : { key: "nickname", value };
    },
  },
  {
    category: "fact",
    forms: [
      new RegExp(
        `^我(?:们家|家)?${now}(?:(?<sure>住在|家在|定居在|常住)|住)(?<place>[\\p{Script=Han}A-Za-z ·]{2,14}?)(?:这边|那边|附近|市区)?$`,
        "u",
      ),
      new RegExp(
        `^我(?:们|们家|家)?${lately}(?:搬到|搬去|搬来|搬回|搬家到|移居到?)了?(?<place>[\\p{Script=Han}A-Za-z ·]{2,14}?)(?:了|来了|去了|住了?|居住|定居了?|生活了?)?$`,
        "u",
      ),
    ],
    // 「我搬到二楼办公了」 and 「我住院了」 end no home.
    read: ({ place: value = "", sure = "" }) =>
      (sure === "" ? isPlaceName(value) : looksLikePlace(value)) ? { key: "home", value } : undefined,
  },
  {
    category: "fact",
    forms: [
      new RegExp(`^我(?:们)?${lately}(?:不住在?|不在)(?<place>[\\p{Script=Han}A-Za-z ]{2,14}?)(?:住|生活)?了$`, "u"),
    ],
    // It ends the home that was, and the sentence itself says which.
    read: ({ place = "" }) => (isPlaceName(place) ? { key: "home" } : undefined),
  },
  {
    category: "fact",
    forms: [
      new RegExp(`^我(?:们)?${lately}(?<state>分手|离婚|结婚|订婚)了$`, "u"),
      new RegExp(`^我${lately}(?:是)?(?<state>单身|已婚|未婚|离异)(?:了|的|状态)?$`, "u"),
    ],
    read: ({ state = "" }) => ({ key: "partner", value: state }),
  },
  {
    category: "fact",
    forms: [
      /^我(?:是)?来自(?:于)?(?<place>[\p{Script=Han}]{2,8})$/u,
      /^我(?:的)?老家(?:是|在)(?<place>[\p{Script=Han}]{2,8}?)的?$/u,
      /^我是(?<place>[\p{Script=Han}]{2,5}人)$/u,
    ],
    read: ({ place: value = "" }) =>
      isPlaceName(value.replace(/人$/, "")) ? { key: "hometown", value: value.replace(/人$/, "") } : undefined,
  },
  {
    category: "fact",
    forms: [
      new RegExp(
        `^我(?:对|吃|碰到?)(?<thing>[\\p{Script=Han}A-Za-z、和与及]{1,16}?)${very}(?:严重|轻度|重度|会|有些)?(?:过敏|过敏的|不耐受)$`,
        "u",
      ),
      /^我(?:有)?(?<thing>(?:(?!对)[\p{Script=Han}A-Za-z]){1,8})过敏$/u,
    ],
    read: ({ thing = "" }) =>
      /^(?:你|他|她|这|那|它|不|没|什么|谁|的|所有|没有)|你|男人|女人|傻|蠢|工作|上班|学习|加班|没$|不$|的$/.test(thing)
        ? undefined
        : { key: `allergy ${thing}`, value: thing },
  },
  {
    category: "fact",
    forms: [
      new RegExp(
        `^我${now}(?:不吃|不能吃|吃不了|不喝|不能喝|喝不了|忌口?)(?<thing>[\\p{Script=Han}A-Za-z]{1,8}?)的?$`,
        "u",
      ),
    ],
    read: ({ thing = "" }) =>
      /饭|餐|东西|这|那|你|他|她|它|了|药|亏|苦头|醋|惊|准|起|独食|素$|下$|够|到$|完|太|一口/.test(thing)
        ? undefined
        : { key: `diet ${thing}`, value: thing },
  },
  {
    category: "fact",
    forms: [/^我(?:是(?:个)?)?(?<diet>素食主义者|素食者|吃素|吃全素|纯素|蛋奶素)$/u],
    read: ({ diet = "" }) => ({ key: "diet", value: diet }),
  },
  {
    category: "fact",
    forms: [
      /^我(?:有|得了|患有|是)(?<illness>糖尿病|高血压|低血压|低血糖|哮喘|心脏病|癫痫|抑郁症|鼻炎|胃病|胃炎|痛风|色盲|色弱|近视|乳糖不耐受?|麸质不耐受?|蚕豆病|O型血|A型血|B型血|AB型血)(?:患者)?$/u,
      /^我(?<illness>乳糖不耐受?|麸质不耐受?)$/u,
    ],
    read: ({ illness = "" }) => ({ key: `health ${illness}`, value: illness }),
  },
  {
    category: "fact",
    forms: [
      /^我(?:的)?(?:阳历|阴历|农历|公历)?生日(?:就)?(?:是|在)?(?:每年的?)?(?<day>(?:(?:19|20)\d\d年)?(?:农历|阴历|腊月|正月|冬月)?[\d一二三四五六七八九十]{0,3}月?(?:初)?[\d一二三四五六七八九十廿]{1,3}[日号]?)(?:那天)?$/u,
      /^我(?:是)?(?<day>(?:(?:19|20)\d\d年)?[\d一二三四五六七八九十]{1,3}月[\d一二三四五六七八九十]{1,3}[日号])(?:出生|生的?|生日|过生日)的?$/u,
      /^我(?:的)?生日(?:就)?(?:是|在)(?<day>圣诞节?|元旦|情人节|除夕|中秋|国庆节?|平安夜|愚人节|儿童节)(?:那天)?$/u,
    ],
    read: ({ day = "" }) =>
      /\d|[一二三四五六七八九十]|节|旦|夕|秋|夜|圣诞/.test(day) ? { key: "birthday", value: day } : undefined,
  },
  {
    category: "fact",
    forms: [/^我(?:今年|已经|快)?(?:都)?(?<age>\d{1,3}|[一二三四五六七八九十]{1,3})岁了?$/u],
    read: ({ age = "" }) => ({ key: "age", value: age }),
  },
  {
    category: "fact",
    forms: [
      new RegExp(`^我${now}是(?:一?(?:名|个|位))?(?<work>[\\p{Script=Han}A-Za-z]{0,8}(?:${work}))$`, "u"),
      /^我(?:的)?(?:职业|工作|专业)(?:就)?是(?<work>[\p{Script=Han}A-Za-z]{2,12}?)的?$/u,
      new RegExp(`^我${now}(?:是)?(?:做|搞|学)(?<work>[\\p{Script=Han}A-Za-z]{2,10})的$`, "u"),
    ],
    read: ({ work: value = "" }) => (noWork.test(value) ? undefined : { key: "occupation", value }),
  },
  {
    category: "fact",
    forms: [
      new RegExp(
        `^我${now}在(?<place>[\\p{Script=Han}A-Za-z0-9 ]{2,16}?)(?<how>工作|上班|任职|实习|教书|上学|读书|读研|读博|念书)$`,
        "u",
      ),
    ],
    read({ how = "", place = "" }) {
      if (noWork.test(place)) return undefined;
      const isSchool = /上学|读|念/.test(how);
      // 「我在上海工作」 names a city, not an employer.
      if (isPlaceName(place)) return { key: isSchool ? "city of school" : "city of work", value: place };
      return { key: isSchool ? "school" : "employer", value: place };
    },
  },
  {
    category: "preference",
    forms: [
      /^我最(?:喜欢|爱)(?:的)?(?<what>[\p{Script=Han}]{1,8})是(?<thing>[^的是]{1,20})$/u,
      /^我最(?:喜欢|爱)的(?<what>[\p{Script=Han}]{1,8})是(?<thing>.{1,24})$/u,
    ],
    read: ({ what = "", thing = "" }) =>
      noThing.test(thing) || /^[你他她它这那]|人$/.test(what) ? undefined : { key: `favourite ${what}`, value: thing },
  },
  {
    category: "preference",
    forms: [
      new RegExp(
        `^我${very}(?:喜欢|爱|喜爱|热爱|偏爱|爱好|迷)(?:吃|喝|看|玩|听|读|打|养|去|用|画|写|唱)?(?<thing>[\\p{Script=Han}A-Za-z0-9、和 ]{1,20})$`,
        "u",
      ),
    ],
    read: ({ thing = "" }) => (noThing.test(thing) ? undefined : { key: "likes", value: thing }),
  },
  {
    category: "preference",
    forms: [
      new RegExp(
        `^我${very}(?:现在)?(?:已经)?(?:不再喜欢|不喜欢|不爱)(?:吃|喝|看|玩|听|读|打|去|用)?(?<thing>[\\p{Script=Han}A-Za-z0-9、和 ]{1,20}?)了$`,
        "u",
      ),
      new RegExp(
        `^我${very}(?:讨厌|不喜欢|不爱|受不了|厌恶|反感|怕)(?:吃|喝|看|玩|听|读|打(?!扰)|去|用)?(?<thing>[\\p{Script=Han}A-Za-z0-9、和 ]{1,20})$`,
        "u",
      ),
    ],
    read: ({ thing = "" }) =>
      noThing.test(thing) || /麻烦|自己|忘|迟到|来不及|不够|错过|吵|打扰|赶不|搞|弄|出错|丢/.test(thing)
        ? undefined
        : { key: "dislikes", value: thing },
  },
  {
    category: "fact",
    forms: [
      /^我(?:的|家|们家|家的)?(?:那只|这只|的)?(?<who>猫咪?|狗狗?|小狗|小猫|仓鼠|兔子|鹦鹉|乌龟|宠物|女儿|儿子|孩子|老婆|妻子|太太|老公|丈夫|男朋友|女朋友|男友|女友|妹妹|弟弟|哥哥|姐姐|室友|导师)(?:的名字)?(?:是|名?叫|叫做|名字是|名字叫)(?<name>[\p{Script=Han}]{2,4}|[A-Za-z][A-Za-z ]{0,20})$/u,
    ],
    read: ({ who = "", name: value = "" }) =>
      noName.test(value) || /医生|老师|护士|律师|警察|学生|工程|程序/.test(value)
        ? undefined
        : { key: `name of ${who}`, value },
  },
  {
    category: "fact",
    forms: [
      /^我(?:家)?(?:里)?(?:养了?|有)(?<pet>(?:[一两二三四五\d]{1,2})(?:只|条|头|个)[\p{Script=Han}]{0,6}(?:猫|狗|猫咪|仓鼠|兔子|鹦鹉|乌龟|鱼|柯基|金毛|女儿|儿子|孩子|妹妹|弟弟|哥哥|姐姐))$/u,
    ],
    read: ({ pet = "" }) => ({ key: `has ${pet.replace(/^[一两二三四五\d]{1,2}(?:只|条|头|个)/u, "")}`, value: pet }),
  },
  {
    category: "fact",
    forms: [/^我(?:的)?母语(?:就)?是(?<language>[\p{Script=Han}]{2,6})$/u],
    read: ({ language = "" }) => ({ key: "language", value: language }),
  },
  {
    category: "fact",
    forms: [
      /^(?:请|你|一定|千万|帮我|给我|要|可要|好好|麻烦|得){0,4}记住(?:了|一下|哦)?(?<ordered>我[^。]{2,60})$/u,
      /^(?:你)?(?:别|不要)忘了?(?:了)?(?<ordered>我[^。]{2,60})$/u,
      /^(?:帮我|你)?记一下(?<ordered>我[^。]{2,60})$/u,
    ],
    read: ({ ordered = "" }) =>
      /^我(?:刚|说|跟|和你|的话|这|们说|让|叫你|要你)|密码|银行卡|验证码|待办|开会/.test(ordered) ? undefined : {},
  },
];
