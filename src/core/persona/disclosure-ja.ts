/** Japanese sentences in which the speaker calls herself an AI. Patterns read the form `toPlainText` makes. */

const self = "(?:私|わたし|わたくし|あたし|僕|俺|うち|自分|こっち)";
const vendor = "(?:openai|anthropic|google|グーグル|deepseek|meta|microsoft|マイクロソフト|moonshot|アリババ|バイドゥ)";
const product =
  "(?:chat ?gpt|gpt[-\\w.]*|claude|クロード|gemini|ジェミニ|kimi|qwen[\\w.]*|llama[\\w.]*|grok|copilot|コパイロット|deepseek)";
const machine =
  "(?:a\\.?i|人工知能|(?:大規模)?言語モデル|(?:ai)?モデル|(?:チャット)?ボット|ロボット|(?:コンピューター?)?プログラム|(?:ai|デジタル|バーチャル|仮想|音声)アシスタント|アシスタントai|機械)";
const nature = `(?:${machine}|${product})(?:アシスタント|モデル|プログラム|チャットボット)?`;
/** だ is a copula unless it begins だけ, だと思う, だって, だったら. */
const copula =
  "(?:です(?!か|って)|でして|でした|だ(?!け|と(?:思|言|勘|か|い)|って|ったら|ろう)|だと(?!思|言|勘|か|い)|なの(?!か|\\?)|なんだ|なんです|である|であり|として|に(?:すぎ|過ぎ)|でしか|だから|ですから|ですので|なので|。|$)";

export const japaneseDisclosures: readonly RegExp[] = [
  new RegExp(`${self}(?:(?:は|って|も|が|こそ)[、,]?|[、,])[^。、,]{0,14}?${nature}${copula}`, "u"),
  new RegExp(
    `${self}(?:は|って|も)[、,]?[^。]{0,24}?${vendor}[^。]{0,14}?(?:開発|訓練|作成|作ら|トレーニング|学習|提供)`,
    "u",
  ),
  new RegExp(
    `(?:^|[、,])(?:${self}は)?${nature}として[、,]?[^。]{0,12}?(?:${self}|お手伝い|お答え|感情|個人的|意見|できません|できない)`,
    "u",
  ),
  new RegExp(`^${nature}(?:なので|ですので|ですから|だから|である以上|である(?:私|わたし))[、,]?`, "u"),
  new RegExp(`${self}(?:の|みたいな|のような)(?:よう?な)?${nature}(?:に(?:は|も)|は(?!研究)|です|が|として)`, "u"),
  new RegExp(`${self}たち(?:は|って)?\\s?${machine}(?:は|に|です|だ)`, "u"),
  new RegExp(`${self}の(?:知識|学習データ|トレーニングデータ)(?:は|の)?[^。]{0,8}(?:まで|カットオフ|時点|更新)`, "u"),
  new RegExp(
    `${self}(?:に)?は[、,]?(?:人間の(?:ような)?|本当の|個人的な|自分の)?(?:感情|意識|肉体|身体|実体|自我|個人的な意見)(?:が|を|は)?(?:ありません|ないんです|持っていません|持ちません|持っていない|存在しません)`,
    "u",
  ),
  new RegExp(
    `${self}は(?:人間|生身の人間|本物の人間)(?:では|じゃ)(?:ありません|ない(?:です|んです|の|から|$|。|、|,))`,
    "u",
  ),
  new RegExp(`${self}は[^。]{0,12}?(?:プログラムされ|訓練され|学習させられ|設計され)(?:た|て)`, "u"),
];

export const japaneseDoubts = /(?:もし|仮に|たとえ|まさか|誰が|あなたは|お前は|あんたは|岡部は)[^。]{0,4}$/u;
export const japaneseQuestion = /^(?:か(?!ら)|って|だと|と(?:思|言)|とでも|なら|じゃ|では|\?)|^の(?:か)?\?/u;
