/** The sentence is a decision, a promise, a request to remember something, or a fact about a person. */
export function isBinding(sentence: string): boolean {
  return decisions.test(sentence) || facts.some((one) => one.test(sentence));
}

/** Words that make a sentence a decision, an appointment or a promise. */
const decisions =
  /决定|就选|选定|就定|说好|约好|一言为定|批准|拒绝|驳回|记得|别忘|提醒|答应|保证|承诺|待办|欠|我会|明天|后天|下周|下个月|不要再|以后都|\b(?:decided?|agreed|approved|rejected|promised?|remind|remember|todo|to-do|deadline|i['’]?ll|i will|tomorrow|next week)\b|決めた|決定|約束|忘れ|明日|来週|覚えて|承認|却下/i;

/** Names, kin, homes, birthdays, health, food, work: facts about a person that they should not have to repeat. */
const facts = [
  /过敏|過敏|不耐|忌口|吃素|素食|不吃|不能吃|吃不了|不能喝|喝不了|糖尿病|高血压|哮喘|怀孕|血型|住在|家住|住址|地址是|搬到|搬去|老家|家在|来自|生日|出生|\d岁|[一二三四五六七八九十]岁|结婚|离婚|分手|去世|手术|名叫|叫做|名字|(?<!百)姓(?!名)[\u3400-\u9fff]|(?:我|他|她|我们)的?(?:妻子|太太|老婆|丈夫|老公|儿子|女儿|爸|妈|父亲|母亲|哥|姐|弟|妹|室友|男友|女友|男朋友|女朋友|导师|老板|医生)[^，。,]{0,4}(?:叫|是)|(?:我|他|她)在[^，。,]{1,12}(?:工作|任职|读书|上学)|我(?:是|属)[^\s，。,！!]{1,10}[人者师员生子工]$/,
  /\b(?:allerg\w{1,4}|intoleran\w{1,3}|vegetarian|vegan|diabet\w{1,3}|asthma\w{0,3}|pregnant|(?:can't|can’t|cannot|don't|don’t|doesn't|doesn’t|never) (?:eat|drink)s?|liv(?:es?|ed|ing) (?:in|at)|mov(?:ed?|ing) to|born|birthday|years old|my address|work(?:s|ed)? (?:at|for|as)|blood type|married|divorced|passed away|surgery|(?:called|named) \p{Lu}|name is|name['’]s|my (?:wife|husband|partner|son|daughter|mother|father|mum|mom|dad|brother|sister|friend|boyfriend|girlfriend|boss|doctor|dentist|teacher|landlord|neighbou?r|dog|cat)(?:['’]s name)? is|is my (?:wife|husband|partner|son|daughter|mother|father|mum|mom|dad|brother|sister|boyfriend|girlfriend|boss|doctor|dentist|teacher|landlord|dog|cat))\b/iu,
  /アレルギー|不耐症|食べられ|飲めな|苦手|菜食|ベジタリアン|糖尿病|高血圧|喘息|妊娠|血液型|住んで|在住|住所|引っ越|誕生日|生まれ|出身|[\d一二三四五六七八九十]歳|勤めて|働いて|結婚|離婚|亡くな|手術|と申し|といいます|という名|名前は|(?:妻|夫|息子|娘|母|父|兄|姉|弟|妹|彼女|彼氏|犬|猫)の[^、。]{1,12}(?:です|は|が|と)/,
];
