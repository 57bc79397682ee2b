/** Stands for a place that was read. */
const read = "\u0001";

const count = "[\\d一二两兩三四五六七八九十半几幾]{1,4}";
const weekName = "(?:周|週|星期|礼拜|禮拜|工作日|平日|週末|土日)";

const hanHour = "[\\d一二两兩三四五六七八九十]{1,3}";

/** A length of time instead of one moment: 3点到5点, 3-5点, "from 3 to 5". */
const ranges: readonly RegExp[] = [
  new RegExp(
    `${read}\\s*(?:到|至|から|[-~～—–])\\s*(?:早上|上午|中午|下午|晚上|午前|午後)?\\s*${hanHour}\\s*(?:点|點|时|時|[:：]\\d{2})`,
  ),
  new RegExp(`${hanHour}\\s*(?:点|點|时|時)?半?\\s*[-~～—–到至]\\s*${read}`),
  new RegExp(
    `\\bbetween\\s+(?:${read}\\s+and\\b|\\d{1,2}(?::\\d{2})?\\s?(?:[ap]m)?\\s+and\\s+(?:${read}|\\d{1,2}(?::\\d{2})?\\s?(?:[ap]m)?\\s*${read}))`,
    "i",
  ),
  new RegExp(`${read}\\s*between\\s+\\d{1,2}(?::\\d{2})?\\s?(?:[ap]m)?\\s+and\\s+\\d{1,2}\\b`, "i"),
  new RegExp(`${read}\\s*(?:-|–|—|to|until|till)\\s*(?:${read}|\\d{1,2}(?::\\d{2}|\\s?[ap]m))`, "i"),
];

/** Words next to a time that change it, and that no reader takes in. */
const always: readonly RegExp[] = [
  // 第一个周一, 最后一个周五, 第2火曜
  new RegExp(
    `(?:第\\s*${count}|最后一?|最後一?|最初|最後|倒数第?${count})\\s*(?:个|個|の|的)?\\s*(?:${weekName}|${read})`,
  ),
  new RegExp(`第\\s*${count}\\s*(?:个|個)?(?:天|日|周|週|星期|月|年)的?${read}`),
  // 双周五, 次の次の金曜, 下下下周一
  new RegExp(`[单單双雙](?:周|週|${read})|大小[周週]|次の次|翌々|来々|再々来|下下个?${read}|その次の?${read}`),
  /(?:倒数第|倒數第)[一二三四五六七八九十\d]{1,3}\s*(?:个|個)?(?:天|日|周|週|星期|月|工作日)|最後から/,
  // 下周提醒我周三十点: of which week that Wednesday is.
  new RegExp(`(?:下下?个?)(?:周|週|星期|礼拜|禮拜|月|年)(?:[，,]?|[^，,。;；\\n${read}]{0,6})${read}`),
  new RegExp(`(?:来|再来)(?:週|月|年)(?:の|に|は)?${read}`),
  new RegExp(`${read}\\s*(?:or|and)\\s+\\d{1,2}\\b(?!\\s*(?:minutes?|people|times))|${read}\\s*and a half\\b`, "i"),
  new RegExp(`${read}\\s*at\\s(?:2[5-9]|[3-9]\\d)(?![\\d:%])`, "i"),
  /\d{1,2}時(?:半|\d{1,2}分)?に(?:リマインド|知らせ|起こし)/,
  // 每季度, 四半期ごと
  /[每毎](?:个|個|一)?(?:季|学期|學期|学年|半年|半个?月|旬|节|双|雙|单|單|第|最)|(?:期|季|年|月|週|日|時間|分)(?:ごと|おき)/,
  new RegExp(`(?:从|從|自|打)\\s*${read}(?:开始|開始|起)|(?:直到|直至|一直到|持续到)\\s*${read}`),
  new RegExp(
    `\\b(?:every|each)\\s+(?:[\\w-]{1,16}\\s+){0,2}(?:${read}|(?:minute|hour|day|night|morning|afternoon|evening|noon|week|weekend|weekday|month|quarter|year|fortnight|season|spring|summer|autumn|fall|winter)s?\\b|(?:sun|mon|tue|wed|thu|fri|sat|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\\b|\\d{1,2}(?:st|nd|rd|th)\\b)`,
    "i",
  ),
  new RegExp(
    `\\b(?:bi-?weekly|bi-?monthly|fortnightly|quarterly|semi-?annually|biannually|nightly)(?=\\s*(?:$|[,.;]|${read}|on\\b|at\\b|in\\b))`,
    "i",
  ),
  new RegExp(
    `\\b(?:first|second|third|fourth|fifth|last|final|penultimate|[1-5](?:st|nd|rd|th))\\s+(?:${read}|(?:sun|mon|tues?|wednes|thurs?|fri|satur|week|work|working |business )(?:day|end)s?\\b)`,
    "i",
  ),
  new RegExp(
    `\\b(?:starting|beginning|until|till|except|through)\\s+(?:on\\s+|from\\s+)?${read}|\\b(?:next|after)\\s+next\\b|\\bnext\\s+${read}|\\bafter\\s+next\\b`,
    "i",
  ),
  new RegExp(`\\b(?:minutes?|hours?|days?|weeks?|months?)\\s+(?:from|after|before)\\s+${read}|${read}\\s+week\\b`, "i"),
  new RegExp(
    `${read}[\\s,]*(?:and|or|&|to|through)\\s+(?:on\\s+)?(?:(?:next|this)\\s+)?(?:(?:sun|mon|tues|wednes|thurs|fri|satur)day|tomorrow|${read})`,
    "i",
  ),
];

/** This week, this month: nothing is open where the day is said, too. */
const withoutDay: readonly RegExp[] = [
  new RegExp(`(?:这个?|這個?|本|今)(?:周|週|星期|礼拜|禮拜|月|年)[^，,。;；\\n${read}]{0,6}${read}`),
];

/** Days that are separated from a bare clock. */
const dayApart =
  /\b(?:tomorrow|tonight|(?:on|next|this)\s+(?:sun|mon|tues|wednes|thurs|fri|satur)day|on\s+(?:christmas|new year|easter|halloween|thanksgiving|valentine))/i;
const saysDay =
  /day|tomorrow|tonight|week|month|\bin\b|\d\/\d|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\b(?:sun|mon|tue|wed|thu|fri|sat)\b|\d(?:st|nd|rd|th)\b/i;

/** For repetitions also their beginning, their end and their exceptions. */
const ofRepetitions: readonly RegExp[] = [
  new RegExp(`${read}(?:的|の)?(?:初|[上中下]旬|生日|誕生日|(?:上|下)班|放学|睡前|[早午晚]?饭[前后])`),
  new RegExp(
    `\\b\\d{1,2}(?:st|nd|rd|th)\\s*(?:,|and|&)\\s*(?:the\\s+)?\\d{1,2}(?:st|nd|rd|th)\\b[^\\n]{0,12}${read}`,
    "i",
  ),
  /除(?:了|去|掉|开|開|却)?[^，。,.\n]{0,12}(?:外|之外|以外)|除(?:了|去|掉|开)?(?:周|週|星期|礼拜|工作日|节|節|假|每|今|明|后|\d)/,
  new RegExp(
    `除外|除非|除く|除い|除き|以外|不包括|不含|跳过|跳過|ただし|但是?(?:周|星期|礼拜|节|${read})|只(?:在|有|要)`,
  ),
  /直到|直至|为止|為止|截止|截至|一直到|まで/,
  new RegExp(
    `(?:从|從|自)\\s*(?:${read}|今|明|后|後|下|这|本|[\\d一二三四五六七八九十])|(?:${read}|今週|来週|来月|今月|明日|曜日?|[日月時])から`,
  ),
  new RegExp(
    `${read}\\s*(?:到|至|~|～|-|—|–)\\s*(?:${read}|[\\d一二三四五六七八九十早上中下晚凌半周週星礼明后後月年])`,
  ),
  new RegExp(
    `(?:连续|連續|连着|持续|持續|坚持|一共|总共|共|为期|接下来|未来|今后|往后|只要?|就)的?\\s*${count}\\s*(?:个|個)?(?:天|日|周|週|星期|礼拜|月|年|次|回)`,
  ),
  new RegExp(
    `${count}\\s*(?:日|週|か月|ヶ月|カ月|年)間|[，,、]\\s*${count}\\s*(?:个|個)?(?:天|周|星期|月|年|次)(?:[，,。]|$)`,
  ),
  /白天|夜间|上班时间|工作时间|日中|[春夏秋冬](?:天|季|休み)|暑假|寒假|节假日|法定|祝日/,
  /\b(?:until|'?til|till|thru|except|excluding|apart from|other than|but not|unless|only)\b/i,
  new RegExp(
    `\\b(?:starting|beginning|begins?|starts?|commencing|as of|from|since|after|before|between|through)\\s+(?:on\\s+|at\\s+|the\\s+)?(?:${read}|next|this|tomorrow|today|tonight|now|\\d|(?:sun|mon|tues|wednes|thurs|fri|satur)day|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\b)`,
    "i",
  ),
  /\bfor\s+(?:the\s+)?(?:next\s+|first\s+|coming\s+)?(?:[\w-]{1,16}\s+)?(?:days?|weeks?|months?|years?|times)\b|\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten)\s+times\b/i,
  new RegExp(
    `${read}[\\s,]*(?:in|of|during|this|next)\\s+(?:week|month|year|spring|summer|autumn|fall|winter|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)\\b|\\b(?:this|next)\\s+(?:week|month|year|spring|summer|autumn|fall|winter)[\\s,]*${read}|\\b(?:the )?(?:last|first) day\\b`,
    "i",
  ),
];

/** The doubt that the words next to a time leave: it would be set otherwise than it was meant. */
export function findLeftDoubt(
  text: string,
  spans: readonly { readonly from: number; readonly to: number }[],
  about: { readonly isRepeated: boolean; readonly hasDay: boolean },
): "range" | "unread" | undefined {
  let rest = text;
  let said = "";
  for (const { from, to } of spans.toSorted((one, other) => other.from - one.from)) {
    said = `${text.slice(from, to)} ${said}`;
    rest = `${rest.slice(0, from)}${read}${rest.slice(to)}`;
  }
  const forms = [...always, ...(about.isRepeated ? ofRepetitions : []), ...(about.hasDay ? [] : withoutDay)];
  if (forms.some((form) => form.test(rest))) return "unread";
  if (ranges.some((form) => form.test(rest))) return "range";
  const isBareClock = !about.isRepeated && /\d|noon|midnight/i.test(said) && !saysDay.test(said);
  return isBareClock && dayApart.test(rest) ? "unread" : undefined;
}
