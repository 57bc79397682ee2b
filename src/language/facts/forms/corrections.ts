const han = String.raw`[\p{Script=Han}A-Za-z]{1,10}?`;
const kana = String.raw`[\p{L}ー]{1,12}?`;
const word = "[a-z][a-z ]{1,20}?";
const no = "(?:不对|不是|错了|说错了|搞错了|(?:你)?记错了|更正(?:一下)?)[,。!、 ]{1,3}";

/** `before` = what was wrong; without it only an allergy is meant. */
export const correctionForms: readonly RegExp[] = [
  new RegExp(`^(?:${no})?我?不是对?(?<before>${han})(?:过敏)?[,、 ]{1,3}(?:我|而)?是对?(?<now>${han})(?:过敏)?$`, "u"),
  new RegExp(`^(?:${no})?我?是对?(?<now>${han})(?:过敏)?[,、 ]{1,3}不是对?(?<before>${han})(?:过敏)?$`, "u"),
  new RegExp(`^${no}我?(?:其实)?是?对(?<now>${han})过敏$`, "u"),
  new RegExp(
    `^(?:no[,.! ]{1,3})?(?:it's |i meant )?not (?:to |in )?(?<before>${word})[,;] ?(?:but |it's )?(?:to |in )?(?<now>${word})$`,
  ),
  new RegExp(`^(?:no[,.! ]{1,3})?(?:it's |i meant )(?<now>${word}), ?not (?<before>${word})$`),
  new RegExp(`^(?:no|wait|sorry|oops)[,.! ]{1,3}(?:it's )?(?<now>${word}) (?:that )?i'm allergic to$`),
  new RegExp(
    `^(?:(?:違う|違います|間違えた|いや)[、,。 ]{1,3})?(?<before>${kana})(?:じゃなくて?|ではなく|でなく)て?[、, ]{0,2}(?<now>${kana})(?:です|だ|だよ|なの|よ|ね){0,3}$`,
    "u",
  ),
];
