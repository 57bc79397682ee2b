/** The most words of one message that remarks are looked up by. */
const mostAsked = 40;
const mostOfRemark = 90;

/** Single letters that stand in every second sentence. */
const filling = new Set(
  "的了是在我你他她它们不有这那就也都和与很吗呢吧啊什么怎哪谁个一上下来去到说要会能没还又再把被让给对从以为于其但而或如所及并着过得地之只才",
);

/** Words that stand in every second question: they find nothing. */
const common = new Set(
  (
    "什么 怎么 多少 哪里 哪个 为什 这个 那个 我们 你们 他们 是不 不是 有没 没有 可以 知道 一下 一个 记得 还记 告诉 诉我 " +
    "请问 么时 时候 是什 叫什 我的 你的 是多 的是 一点 了吗 是哪 过的 我说 说过 ました です ます から した って この その " +
    "the and for you are was were what when where who how why did does that this with have has had can could would from about my me is it in on at to of do we be or an if"
  ).split(" "),
);

/**
 * The words a text is found by: two neighbouring letters of Chinese, Japanese and Korean, then the single ones of Chinese
 * that say something, words and numbers of other scripts. Each once.
 */
export function findTerms(text: string, most = mostOfRemark): readonly string[] {
  const terms = new Set<string>();
  const letters = new Set<string>();
  for (const [run] of text.normalize("NFKC").toLowerCase().matchAll(runs)) {
    if (wide.test(run)) {
      for (let at = 0; at < run.length && terms.size < most; at += 1) {
        const pair = run.slice(at, at + 2);
        if (pair.length === 2 && !common.has(pair)) terms.add(pair);
        if (isWord(run.charAt(at))) letters.add(run.charAt(at));
      }
    } else if (run.length > 1) addWord(terms, run.slice(0, 40));
    if (terms.size >= most) break;
  }
  return [...terms, ...letters].slice(0, most);
}

/** The words that older remarks are looked up by. */
export function findAskedTerms(text: string): readonly string[] {
  return findTerms(text, mostAsked);
}

function isWord(letter: string): boolean {
  return /^[\u3400-\u9fff]$/.test(letter) && !filling.has(letter);
}

function addWord(terms: Set<string>, term: string): void {
  if (!common.has(term)) terms.add(term);
}

const wide = /^[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]/;
const runs = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]+|[a-z0-9\u00c0-\u024f\u0370-\u05ff]+/g;
