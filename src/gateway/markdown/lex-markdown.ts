import { getDefaults, Lexer, Tokenizer, type Tokens, type TokensList } from "marked";

/** `**…**` on the masked source, where code and links cannot hold a star. */
const strongSpan = /^\*\*(?![\s*])((?:[^*]|\*(?!\*))+?)(?<!\s)\*\*(?!\*)/;

/** Characters one text may have searched for the ends of emphasis, about 0.1 s of work; marked is quadratic there. */
const searchBudget = 2_000_000;

/**
 * CommonMark leaves `**注意：**请看` as it stands, because its closing stars follow a punctuation mark and precede a letter.
 * Languages that write without spaces do that all the time, so two plain pairs of stars are bold here.
 */
class SpacelessTokenizer extends Tokenizer {
  #searched = 0;

  override emStrong(source: string, maskedSource: string, previous?: string): Tokens.Em | Tokens.Strong | undefined {
    if (!source.startsWith("*") && !source.startsWith("_")) return undefined;
    this.#searched += source.length;
    if (this.#searched > searchBudget) return undefined;
    const match = strongSpan.exec(maskedSource.slice(-source.length));
    if (match === null) return super.emStrong(source, maskedSource, previous);
    const raw = source.slice(0, match[0].length);
    const text = raw.slice(2, -2);
    return { type: "strong", raw, text, tokens: this.lexer.inlineTokens(text) };
  }
}

/** Longer texts (ten messages) go without style: marked needs seconds for one that is made to be slow. */
const styledLimit = 40_000;

/** The blocks of a Markdown text, with their inline tokens; `links` holds the reference definitions. */
export function lexMarkdown(markdown: string): TokensList {
  if (markdown.length > styledLimit) throw new RangeError("The text is too long to be read as Markdown");
  return new Lexer({ ...getDefaults(), tokenizer: new SpacelessTokenizer() }).lex(markdown);
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
