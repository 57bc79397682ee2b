import { stemmer } from "stemmer";

/** Words that occur in every second English sentence: they find nothing. */
export const englishStopWords: ReadonlySet<string> = new Set(
  (
    "a an the and or but if of at by for with about to from in on off up down out over under as is am are was were be been being do does did done " +
    "doing have has had having i me my mine you your yours he him his he she her hers it its we us our ours they them their theirs this that these " +
    "those what which who whom whose when where why how there here than then so too very can could will would shall should may might must not no " +
    "nor just only own same such some any all both each few more most other again once s t d ll m re ve don didn doesn isn wasn aren weren won " +
    "wouldn couldn shouldn hasn haven hadn ain"
  ).split(" "),
);

/** Words that belong to the form of a question more often than to its subject. */
const weak = (
  "go get make take have think know say see come want like time thing way lot year day new good great kind type feel give find use tell ask talk " +
  "mention happen recent current main one two first last become start plan decide try help"
).split(" ");

/** Irregular forms, the base form last: they count as one word. */
const irregular = (
  "went gone go;bought buy;brought bring;thought think;taught teach;caught catch;felt feel;found find;gave given give;got gotten get;knew known know;" +
  "kept keep;left leave;lost lose;made make;met meet;paid pay;ran run;said say;sang sung sing;saw seen see;sold sell;sent send;sat sit;slept sleep;" +
  "spoke spoken speak;spent spend;stood stand;swam swum swim;took taken take;told tell;wore worn wear;won win;wrote written write;began begun begin;" +
  "broke broken break;built build;chose chosen choose;came come;drew drawn draw;drank drunk drink;drove driven drive;ate eaten eat;fell fallen fall;" +
  "fed feed;fought fight;flew flown fly;forgot forgotten forget;grew grown grow;heard hear;held hold;led lead;lent lend;rode ridden ride;rose risen rise;" +
  "shot shoot;shown show;stole stolen steal;stuck stick;struck strike;threw thrown throw;understood understand;woke woken wake;children child kids kid;" +
  "people person;men man;women woman;wives wife;feet foot;mother mum mom;father dad"
)
  .split(";")
  .map((forms) => forms.split(" "));

const basics = new Map(irregular.flatMap((forms) => forms.map((form) => [form, forms.at(-1) ?? form] as const)));
const formsOf = new Map(irregular.map((forms) => [forms.at(-1) ?? "", forms]));

/** The stem that the forms of one word have in common. */
export function toStem(word: string): string {
  return stemmer(basics.get(word) ?? word);
}

const weakStems = new Set(weak.map(toStem));

export const isWeak = (stem: string): boolean => weakStems.has(stem);

const endings = (
  " e s es ed d ing er ers or ors y ies ied ier iest iness ily ly ment ments ation ations ate ates ated ating ator ion ions ive ity ness ful fully " +
  "al ally ance ence able ible ize izes ized izing ism ist ists ous"
).split(" ");

/**
 * The forms of a word that a text may hold, itself first: those whose stem is the same. The index holds words as they were
 * written, so a question asks for each of them.
 */
export function listForms(word: string): readonly string[] {
  const stem = toStem(word);
  const usual = basics.get(word) ?? word;
  const last = stem.at(-1) ?? "";
  const bases = [
    stem,
    ...(/[bdgklmnprtvz]/.test(last) ? [stem + last] : []),
    ...(last === "i" ? [stem.slice(0, -1)] : []),
  ];
  const made = bases.flatMap((base) => endings.map((ending) => base + ending)).filter((form) => toStem(form) === stem);
  return [...new Set([word, usual, ...(formsOf.get(usual) ?? []), ...made])];
}
