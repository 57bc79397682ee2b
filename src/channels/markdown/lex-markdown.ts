import { getDefaults, Lexer, Tokenizer, type Token, type Tokens, type TokensList } from "marked";

/** `**…**` on the masked source, where code and links cannot hold a star. */
const strongSpan = /^\*\*(?![\s*])((?:[^*]|\*(?!\*))+?)(?<!\s)\*\*(?!\*)/;

/**
 * Steps that one text may cost, about 0.1 s of work. From the start of each style, link or tag marked searches all of
 * its paragraph, and it reads each level of quotes and lists again: so the square of a text, or its cube, is paid for
 * here.
 */
const maxSteps = 2_000_000;

/** The least cost of a piece. */
const stepsOfPiece = 200;

interface Budget {
  /** Throws when it is used up; the text is taken as plain then. */
  spend(steps: number): void;
}

function createBudget(): Budget {
  let left = maxSteps;
  return {
    spend(steps) {
      left -= steps;
      if (left < 0) throw new RangeError("The text takes too long to be read as Markdown");
    },
  };
}

/** From each of them marked searches what follows. */
const openings = /\\[\s\S]|[*_~`<[!]|www\.|https?:|ftp:/gi;
/** Text after such a link costs no more than its length. */
const simpleLink = /^!?\[(?:[^[\]\\`]|\\.)*\]\([^\s()<>\\"']*\)/;
const linkStart = /^!?\[(?:[^[\]\\`]|\\.)*\]\(/;
const wideGap = /^\s{50}|^\S+\s{50}/;
/** Bare addresses are shortened by one mark after the other. */
const maxAddressLength = 2_000;

/**
 * CommonMark leaves `**注意：**请看` as it is, because its closing stars follow a punctuation mark and precede a letter.
 * Languages that write without spaces do that all the time, so two plain pairs of stars are bold here.
 */
class SpacelessTokenizer extends Tokenizer {
  readonly #budget: Budget;

  constructor(budget: Budget) {
    super();
    this.#budget = budget;
  }

  override emStrong(source: string, maskedSource: string, previous?: string): Tokens.Em | Tokens.Strong | undefined {
    if (!source.startsWith("*") && !source.startsWith("_")) return undefined;
    const match = strongSpan.exec(maskedSource.slice(-source.length));
    if (match === null) return super.emStrong(source, maskedSource, previous);
    const raw = source.slice(0, match[0].length);
    const text = raw.slice(2, -2);
    return { type: "strong", raw, text, tokens: this.lexer.inlineTokens(text) };
  }

  override link(source: string): Tokens.Link | Tokens.Image | undefined {
    if (!source.startsWith("[") && !source.startsWith("![")) return undefined;
    const simple = simpleLink.exec(source);
    if (simple) return super.link(simple[0]);
    const start = linkStart.exec(source);
    if (start) {
      const rest = source.slice(start[0].length);
      // So much white space is in no link; marked tries to share it out in every way.
      if (wideGap.test(rest)) return undefined;
      // A title is looked for from every mark that could begin one, up to the next white space.
      const target = /^\S*/.exec(rest)?.[0] ?? "";
      const marks = target.match(/["'(]/g)?.length ?? 0;
      this.#budget.spend((marks + 1) * source.length);
    }
    return super.link(source);
  }

  override def(source: string): Tokens.Def | undefined {
    if (/^ {0,3}\[/.test(source)) this.#budget.spend(source.length);
    return super.def(source);
  }

  override lheading(source: string): Tokens.Heading | undefined {
    // It looks for its underline through all lines of the paragraph, in a list again from each of them.
    const end = source.search(/\n[ \t]*\n/);
    this.#budget.spend(end < 0 ? source.length : end);
    return super.lheading(source);
  }

  override url(source: string): Tokens.Link | undefined {
    const found = this.rules.inline.url.exec(source)?.[0].length ?? 0;
    if (found > maxAddressLength) return undefined;
    this.#budget.spend((found * found) / 50);
    return super.url(source);
  }
}

class FrugalLexer extends Lexer {
  readonly #budget: Budget;

  constructor(budget: Budget, changes: TokenizerChanges) {
    super({ ...getDefaults(), tokenizer: Object.assign(new SpacelessTokenizer(budget), changes) });
    this.#budget = budget;
  }

  override blockTokens(source: string, tokens?: Token[], lastParagraphClipped?: boolean): Token[];
  override blockTokens(source: string, tokens?: TokensList, lastParagraphClipped?: boolean): TokensList;
  override blockTokens(source: string, tokens: Token[] = [], lastParagraphClipped?: boolean): Token[] {
    this.#budget.spend(stepsOfPiece + source.length);
    return super.blockTokens(source, tokens, lastParagraphClipped);
  }

  override inlineTokens(source: string, tokens?: Token[]): Token[] {
    let searches = 0;
    let escapes = 0;
    for (const [found] of source.matchAll(openings)) {
      if (found.startsWith("\\")) escapes += 1;
      else searches += 1;
    }
    this.#budget.spend(stepsOfPiece + (searches + escapes / 50) * source.length);
    return super.inlineTokens(source, tokens);
  }
}

/** Longer texts (ten messages) go without style. */
const styledLimit = 40_000;

type TokenizerChanges = Partial<Pick<Tokenizer, "def" | "reflink">>;

/** The blocks of a Markdown text, with their inline tokens; `links` holds the reference definitions. */
export function lexMarkdown(markdown: string, changes: TokenizerChanges = {}): TokensList {
  if (markdown.length > styledLimit) throw new RangeError("The text is too long to be read as Markdown");
  return new FrugalLexer(createBudget(), changes).lex(markdown);
}

/** Thousands of nested quotes or lists are too deep for the call stack; such a text is taken as plain, as is one too long. */
export function readOrTakePlain<T>(read: () => T, takePlain: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return takePlain();
    throw error;
  }
}
