import { foldText } from "../../../store/search/fold-text.ts";

/** The subject of a fact, so that a newer one takes the place of an older; null = it contradicts nothing. */
export function findSlot(fact: {
  readonly content: string;
  readonly key?: string | undefined;
  readonly value?: string | undefined;
  /** The speaker's, which models write instead of "I". */
  readonly name?: string;
}): string | null {
  if (fact.key !== undefined && fact.key.trim() !== "") return readKey(fact.key, fact.value);
  const name = foldText(fact.name ?? "");
  // Folding turns letters of Japanese into Chinese ones.
  return readSentence(foldText(fact.content), name) ?? readSentence(fact.content.normalize("NFKC").toLowerCase(), name);
}

/** Other names of the same slot. */
const keyNames: Readonly<Record<string, readonly string[]>> = {
  home: ["home", "residence", "address", "city", "location", "live", "lives_in", "living_place", "home_city"].concat(
    "住址 住处 住所 居住地 地址 城市 所在地 常住地 家 住 現住所 住まい".split(" "),
  ),
  occupation: "occupation job profession work 职业 工作 職業 仕事".split(" "),
  employer: "employer company workplace 公司 单位 会社 勤務先".split(" "),
  birthday: "birthday birthdate birth_date date_of_birth 生日 出生日期 誕生日".split(" "),
  name: "name 名字 姓名 本名 名前 氏名".split(" "),
  nickname: "nickname call_me preferred_name 称呼 昵称 小名 外号 呼び方 あだ名".split(" "),
  age: "age 年龄 年齢".split(" "),
  school: "school university college 学校 大学 学校名".split(" "),
  partner: "partner relationship relationship_status marital_status 伴侣 感情状态 婚姻状况 婚姻 恋愛状況".split(" "),
  "favourite:colour": ["favourite_colour", "favourite_color", "favorite_color", "favorite_colour"].concat(
    "favourite_颜色 favourite_色 喜欢的颜色 最喜欢的颜色 好きな色".split(" "),
  ),
  "favourite:drink": "favourite_drink favorite_drink favourite_饮料 favourite_飲み物 最喜欢的饮料 好きな飲み物".split(
    " ",
  ),
  "favourite:food":
    "favourite_food favorite_food favourite_食物 favourite_菜 favourite_食べ物 最喜欢的食物 好きな食べ物".split(" "),
};

/** A person has several of these at once; the value is a part of the slot. */
const several =
  /^(?:dis)?likes?$|^(?:hobb(?:y|ies)|pets?|friends?|skills?|languages?|interests?|preferences?|facts?|opinions?|attitudes?|habits?|goals?|plans?|events?|family|food|movies?|books?|games?|music)$|^(?:爱好|喜欢|讨厌|不喜欢|宠物|朋友|技能|语言|兴趣|偏好|习惯|目标|计划|家人|食物|电影|书|游戏|音乐|趣味|好き|嫌い|ペット)$/;

/** Under any name (`food_allergy`, `allergic_to`): neither another one nor a liking may end it. */
const allergy = /allerg|[过過]敏|アレルギ/;

function readKey(key: string, value: string | undefined): string | null {
  const name = foldText(key)
    .trim()
    .replaceAll(/[\s-]+/g, "_");
  for (const [slot, names] of Object.entries(keyNames)) if (names.some((one) => foldText(one) === name)) return slot;
  const isAllergy = allergy.test(name);
  if (!isAllergy && !several.test(name)) return `key:${name}`;
  const what = foldText(value ?? "").trim();
  if (what === "") return null;
  if (isAllergy) return `key:allergy:${what}`;
  // Liking and disliking are about the same subject.
  return /^(?:dis)?likes?$|^(?:喜欢|讨厌|不喜欢|好き|嫌い)$/.test(name) ? `likes:${what}` : `key:${name}:${what}`;
}

interface Rule {
  readonly slot: string;
  readonly says: RegExp;
}

/** Subjects with one value at a time. Each matches the verb, so that the subject stands before it. */
const rules: readonly Rule[] = [
  {
    slot: "home",
    says: /搬家|搬(?:到|去|来|进|回)|住在|住(?!院|校|手|口|宿|不|得)(?=[\p{Script=Han}]{2})|定居|\b(?:live in|lives in|living in|moved to|move to|moved back)\b|に住んで|に引っ越|へ引っ越|引っ越しました/u,
  },
  {
    slot: "employer",
    says: /入职|跳槽|在[^，。,.]{1,20}(?:上班|任职|工作)|\b(?:work(?:s|ing)? (?:at|for)|joined)\b|(?:で働いて|に勤めて|に転職)/,
  },
  {
    slot: "occupation",
    says: /职业是|(?:我的)?工作是|转行|改行|是一?(?:名|位|个)?[^，。,.\s]{0,8}(?:工程师|程序员|医生|护士|老师|教师|律师|会计|设计师|司机|厨师|记者|研究员|学生|研究生|博士生|教授|作家|画家|销售)|\b(?:work(?:s|ing)? as|my job is|am an? [a-z ]{0,20}(?:engineer|doctor|nurse|teacher|lawyer|designer|student|researcher|writer|developer))\b|(?:仕事は|職業は)/,
  },
  { slot: "birthday", says: /生日(?:是|在|:)?|出生于|\b(?:birthday is|born on)\b|誕生日は/ },
  { slot: "nickname", says: /叫我|(?:昵称|外号)(?:是|叫|改成)|\b(?:call me|go by)\b|と呼んで/ },
  { slot: "name", says: /名字(?:是|叫|改成)|我叫|\bmy name is\b|名前は/ },
  { slot: "age", says: /(?:今年|已经)?\d{1,3} ?岁|\b\d{1,3} years old\b|\d{1,3} ?歳/ },
  {
    slot: "school",
    says: /在[^，。,.]{1,16}(?:上学|读书|读研|读博|读大学|念书)|考上了?|\b(?:study at|studies at|go to school at)\b/,
  },
  {
    slot: "partner",
    says: /单身|结婚了|已婚|离婚|有(?:女朋友|男朋友|对象)了|分手|\b(?:single|(?:got|gotten|am|are) (?:married|divorced|engaged)|broke up)\b|独身|結婚し|離婚し/,
  },
  { slot: "phone", says: /(?:手机号|电话号码|手机|电话)(?:是|换成|改成|:)|\bphone number is\b|電話番号は/ },
  { slot: "email", says: /(?:邮箱|邮件地址)(?:是|换成|改成|:)|\be-?mail(?: address)? is\b|メールアドレスは/ },
  { slot: "favourite:drink", says: /最(?:喜欢|爱)喝|\bfavou?rite drink is\b|一番好きな飲み物は/ },
  { slot: "favourite:food", says: /最(?:喜欢|爱)吃|\bfavou?rite food is\b|一番好きな食べ物は/ },
  {
    slot: "favourite:colour",
    says: /最(?:喜欢|爱)的?颜色|最喜欢[红橙黄绿蓝紫黑白灰粉]色|\bfavou?rite colou?r is\b|好きな色は/,
  },
];

/** Only for now: it does not end what lasts. */
const passing =
  /周末|兼职|业余|副业|週末|アルバイト|\bon (?:the )?weekends?\b|\bpart[- ]time\b|出差|旅游|旅行|度假|暂时|临时|这几天|这两天|这周|今晚|酒店|宾馆|民宿|for now|this week|hotel|trip|出張|ホテル/;
/** Words about the past or a wish: they end nothing. */
const unreal =
  /以前|之前|曾经|小时候|原来|本来|想|打算|希望|如果|要是|可能|也许|计划|会不会|明年|将来|used to|want to|wish|might|plan to|would like|前は|昔|したい|たい$|つもり/;

/** Words between the subject and the verb, or before it, that do not change the subject. */
const fillers =
  /我们?|本人|用户|对方|自己|的|了|已经|现在|目前|如今|刚刚?|最近|上周|上个月|昨天|今天|今年|去年|从|起|开始|又|还|就|是|家|换|改|搬|终于|其实|说错|更正|对|不|再|i'm|i've|i am|\bi\b|\bwe\b|my|now|currently|just|recently|have|has|actually|the user|user|私|僕|俺|は|の|今|最近|もう|[\s,，。.!！、:：;；~～…"'「」()]/g;
/** Words that make another person the subject. */
const relations =
  /(爸|妈|父亲|母亲|爷爷|奶奶|外公|外婆|哥|姐|弟|妹|老公|老婆|丈夫|妻子|女朋友|男朋友|女友|男友|对象|儿子|女儿|孩子|同事|同学|朋友|室友|邻居|老板|领导|导师|老师|猫|狗|mother|father|mom|dad|sister|brother|wife|husband|girlfriend|boyfriend|son|daughter|friend|boss|cat|dog|母|父|姉|妹|兄|弟|妻|夫|友達|彼女|彼氏|犬)/;

function readSentence(content: string, name: string): string | null {
  if (passing.test(content) || unreal.test(content) || allergy.test(content)) return null;
  const liking = readLiking(content, name);
  if (liking !== undefined) return liking;
  for (const { says, slot } of rules) {
    const found = says.exec(content);
    if (found === null) continue;
    const subject = readSubject(takeTopic(content.slice(0, found.index), found[0]), name);
    if (subject === undefined) continue;
    return subject === "" ? slot : `${subject}:${slot}`;
  }
  return null;
}

/** In Japanese the verb comes last: the person stands before 「は」, or is not named. */
function takeTopic(before: string, verb: string): string {
  if (!/[\u3041-\u30ff]/.test(verb)) return before;
  return before.includes("は") ? before.slice(0, before.indexOf("は")) : "";
}

/** "" = the speaker, otherwise the relation; undefined if the subject is unclear. */
function readSubject(before: string, name: string): string | undefined {
  const related = relations.exec(before);
  if (related !== null) return related[1];
  const rest = (name === "" ? before : before.replaceAll(name, "")).replaceAll(fillers, "");
  return rest === "" ? "" : undefined;
}

const likings: readonly RegExp[] = [
  /(?:不再|再也不|不太|不怎么|不|没那么|很|特别|超|非常|最近|也|还)?(?:喜欢|爱)(?:上了?)?(?:吃|喝|看|听|玩|用)?(?<what>[\p{Script=Han}\p{L}\p{N} ]{1,24}?)(?:了|啦|的)?(?=$|[，。,.!！;；、])/u,
  /(?:讨厌|受不了|反感|戒了?|不吃|不喝|不玩|不看)(?<what>[\p{Script=Han}\p{L}\p{N} ]{1,24}?)(?:了|啦)?(?=$|[，。,.!！;；、])/u,
  /\b(?:(?:do not|don't|no longer|really|still|don't really) )?(?:like|love|enjoy|hate|dislike|prefer)s? (?:drinking |eating |playing |watching |to drink |to eat )?(?<what>[a-z0-9 ]{1,30}?)(?: any ?more| now)?(?=$|[.,!;])/,
  /(?<what>[\p{L}\p{N}]{1,20}?)(?:が|は)(?:もう)?(?:大)?(?:好き|嫌い)/u,
];

/** Each thing liked or disliked has a slot of its own: tea does not replace coffee, but 「不喜欢咖啡了」 does. */
function readLiking(content: string, name: string): string | null | undefined {
  for (const likes of likings) {
    const found = likes.exec(content);
    const what = found?.groups?.["what"]?.trim();
    if (found === null || what === undefined || what === "") continue;
    if (/最(?:喜欢|爱)/.test(content)) return undefined;
    const subject = readSubject(content.slice(0, found.index), name);
    if (subject === undefined) return null;
    const thing = what.replace(/^(?:the|a|an) /, "");
    return subject === "" ? `likes:${thing}` : `${subject}:likes:${thing}`;
  }
  return undefined;
}
