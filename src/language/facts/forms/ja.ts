import type { FactForm } from "../plain-fact.ts";

const me = "(?:(?:私|わたし|僕|ぼく|俺|おれ|自分|うち)(?:は|の|も|って)[、,]?)";
const polite = "(?:です|だ|である|でございます)?";
const other = /[はが]|これ|それ|あれ|この|その|あの|こと|あなた|きみ|君|お前|彼|先生/;

export const jaForms: readonly FactForm[] = [
  {
    category: "fact",
    forms: [
      new RegExp(
        `^${me}?(?:名前は)(?<name>[\\p{Script=Han}ァ-ヶーぁ-んA-Za-z ]{1,14}?)(?:です|だ|といいます|と言います|と申します)$`,
        "u",
      ),
      new RegExp(`^${me}?(?<name>[\\p{Script=Han}ァ-ヶーA-Za-z ]{2,14})(?:と申します|といいます|と言います)$`, "u"),
    ],
    read: ({ name = "" }) =>
      other.test(name) || /まだ|ない|秘密/.test(name) ? undefined : { key: "name", value: name },
  },
  {
    category: "fact",
    forms: [
      new RegExp(
        `^${me}?(?:私のことは|僕のことは|俺のことは)?(?<name>[\\p{Script=Han}ァ-ヶーぁ-んA-Za-z]{2,10}?)と?(?:呼んで)(?:ください|くれ|ほしい|ね|いい)?$`,
        "u",
      ),
    ],
    read: ({ name = "" }) =>
      /医者|救急|警察|先生を|人を|を$/.test(name) ? undefined : { key: "nickname", value: name },
  },
  {
    category: "fact",
    forms: [
      new RegExp(
        `^${me}?(?:今は?)?(?<place>[\\p{Script=Han}ァ-ヶーA-Za-z]{2,12})に(?:住んで(?:い)?(?:ます|る)|引っ越しました|引っ越した|在住${polite})$`,
        "u",
      ),
      new RegExp(`^${me}?(?<place>[\\p{Script=Han}ァ-ヶー]{2,12})在住${polite}$`, "u"),
    ],
    read: ({ place = "" }) =>
      other.test(place) || /一緒|近所|隣/.test(place) ? undefined : { key: "home", value: place },
  },
  {
    category: "fact",
    forms: [
      new RegExp(
        `^${me}?(?:出身は)?(?<place>[\\p{Script=Han}ァ-ヶー]{2,12}?)(?:の)?(?:出身${polite}|(?<=出身は.{2,12})です)$`,
        "u",
      ),
    ],
    read: ({ place = "" }) => (other.test(place) ? undefined : { key: "hometown", value: place }),
  },
  {
    category: "fact",
    forms: [
      new RegExp(
        `^${me}?(?:実は)?(?<thing>[\\p{Script=Han}ァ-ヶーぁ-ん]{1,12}?)(?:の|に)?アレルギー(?:${polite}|があります|がある|を持っています|持ち(?:です|だ)?)$`,
        "u",
      ),
    ],
    read: ({ thing = "" }) =>
      other.test(thing) || /^(?:何|ひどい|特に|仕事)/.test(thing)
        ? undefined
        : { key: `allergy ${thing}`, value: thing },
  },
  {
    category: "fact",
    forms: [
      new RegExp(
        `^${me}?(?<thing>[\\p{Script=Han}ァ-ヶーぁ-ん]{1,12}?)(?:は|が|を)(?:食べられ(?:ません|ない)|飲め(?:ません|ない)|食べません|飲みません)$`,
        "u",
      ),
    ],
    read: ({ thing = "" }) =>
      other.test(thing) || /もう|まだ|朝ご?飯|昼|夜|ご飯|これ以上|何/.test(thing)
        ? undefined
        : { key: `diet ${thing}`, value: thing },
  },
  {
    category: "fact",
    forms: [
      new RegExp(
        `^${me}?(?<diet>ベジタリアン|ビーガン|菜食主義者?|糖尿病|高血圧|喘息|乳糖不耐症)(?:です|だ|があります|を患っています)$`,
        "u",
      ),
    ],
    read: ({ diet = "" }) => ({ key: /^(?:ベジ|ビー|菜食)/.test(diet) ? "diet" : `health ${diet}`, value: diet }),
  },
  {
    category: "fact",
    forms: [
      new RegExp(
        `^${me}?(?:誕生日は)(?<day>(?:(?:19|20)\\d\\d年)?\\d{1,2}月\\d{1,2}日|クリスマス|元旦)${polite}$`,
        "u",
      ),
    ],
    read: ({ day = "" }) => ({ key: "birthday", value: day }),
  },
  {
    category: "fact",
    forms: [new RegExp(`^${me}?(?:今年で?|もう)?(?<age>\\d{1,3})歳${polite}(?:になりました)?$`, "u")],
    read: ({ age = "" }) => ({ key: "age", value: age }),
  },
  {
    category: "fact",
    forms: [
      new RegExp(
        `^${me}?(?<work>[\\p{Script=Han}ァ-ヶー]{2,14})(?<how>で|として)(?:働いて(?:い)?(?:ます|る)|勤めて(?:い)?(?:ます|る))$`,
        "u",
      ),
      new RegExp(`^${me}?(?:仕事|職業)は(?<work>[\\p{Script=Han}ァ-ヶーA-Za-z]{2,14})${polite}$`, "u"),
      new RegExp(
        `^${me}(?<work>[\\p{Script=Han}ァ-ヶー]{0,8}(?:学生|大学生|高校生|教師|先生|医者|医師|看護師|エンジニア|プログラマー|弁護士|会社員|公務員|研究者|作家|デザイナー))(?:です|だ|をしています)$`,
        "u",
      ),
    ],
    read: ({ how = "", work = "" }) =>
      other.test(work) || /^(?:一人|自宅|ここ)/.test(work)
        ? undefined
        : { key: how === "で" ? "employer" : "occupation", value: work },
  },
  {
    category: "preference",
    forms: [
      new RegExp(
        `^${me}?(?:一番)?好きな(?<what>[\\p{Script=Han}ァ-ヶーぁ-ん]{1,8}?)は(?<thing>[\\p{Script=Han}ァ-ヶーぁ-んA-Za-z]{1,16}?)(?:です|だ)$`,
        "u",
      ),
    ],
    read: ({ what = "", thing = "" }) =>
      /人|子|あなた|君/.test(what + thing) ? undefined : { key: `favourite ${what}`, value: thing },
  },
  {
    category: "preference",
    forms: [
      new RegExp(
        `^${me}?(?<thing>[\\p{Script=Han}ァ-ヶーぁ-んA-Za-z]{1,16}?)が(?:大|一番|とても|すごく|本当に)?(?:好き(?:です|だ)?)$`,
        "u",
      ),
    ],
    read: ({ thing = "" }) =>
      other.test(thing) || /紅莉栖|クリス/.test(thing) ? undefined : { key: "likes", value: thing },
  },
  {
    category: "preference",
    forms: [
      new RegExp(
        `^${me}?(?<thing>[\\p{Script=Han}ァ-ヶーぁ-んA-Za-z]{1,16}?)(?:が|は)(?:大|とても|すごく|ちょっと)?(?:嫌い|苦手)(?:です|だ)?$`,
        "u",
      ),
    ],
    read: ({ thing = "" }) => (other.test(thing) ? undefined : { key: "dislikes", value: thing }),
  },
  {
    category: "fact",
    forms: [
      new RegExp(
        `^${me}?(?:うちの|私の|僕の|俺の)?(?<who>猫|犬|ペット|妻|夫|娘|息子)の名前は(?<name>[\\p{Script=Han}ァ-ヶーぁ-んA-Za-z]{1,12}?)(?:です|だ|といいます)$`,
        "u",
      ),
    ],
    read: ({ who = "", name = "" }) => ({ key: `name of ${who}`, value: name }),
  },
  {
    category: "fact",
    forms: [
      /^(?<ordered>(?:私|僕|俺|わたし|ぼく)(?:は|が|の)[^。]{2,50}?)(?:こと|の|って)?を?(?:覚えて(?:おいて|いて|て)?(?:ください|くれ|ほしい|ね)?|忘れないで(?:ください|くれ|ね)?)$/u,
    ],
    read: ({ ordered = "" }) => (/言った|パスワード|暗証/.test(ordered) ? undefined : {}),
  },
];
