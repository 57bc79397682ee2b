/**
 * Words of a person about themself, said back to them: 「我叫阿光」 becomes 「你叫阿光」, "I like you" becomes "you like me".
 * Quotations inside stay as they are.
 */
export function addressSpeaker(text: string): string {
  const turn = /[\u3041-\u30ff]/.test(text) ? turnJapanese : /\p{Script=Han}/u.test(text) ? turnChinese : turnEnglish;
  let quote = "";
  let [said, part] = ["", ""];
  for (const character of text) {
    if (quote === "" && closers[character] !== undefined) {
      said += turn(part) + character;
      [part, quote] = ["", closers[character]];
    } else if (quote === character) {
      said += part + character;
      [part, quote] = ["", ""];
    } else part += character;
  }
  // A mark that nothing closes opens no quotation.
  return said + turn(part);
}

const closers: Readonly<Record<string, string>> = { "「": "」", "『": "』", "“": "”", '"': '"' };

function turnChinese(text: string): string {
  return text.replaceAll(/自我|忘我|我行我素|迷你|[我俺你您]/gu, (word) => chinese[word] ?? word);
}

const chinese: Readonly<Record<string, string>> = { 我: "你", 俺: "你", 你: "我", 您: "我" };

function turnJapanese(text: string): string {
  return text.replaceAll(
    /私|わたし(?=[はがのをにもとで、])|僕|ぼく(?=[はがのをにもとで、])|俺|あなた|君(?=[はがのをに])/gu,
    (word) => (word === "あなた" || word === "君" ? "私" : "あなた"),
  );
}

function turnEnglish(text: string): string {
  const plain = text.replaceAll("’", "'");
  const isAboutSelf = /\bi\b/i.test(plain);
  const turned = plain.replaceAll(
    /\b(?:i'm|i am|i was|am|myself|mine|me|my|i|you're|you are|yourself|yours|your|you)\b/gi,
    (word, at: number) => {
      const lower = word.toLowerCase();
      if (lower === "am" && !isAboutSelf) return word;
      const isSubject =
        at === 0 || /(?:[,.;:]|\b(?:and|but|that|because|if|when)) $/i.test(plain.slice(Math.max(0, at - 9), at));
      return lower === "you" && isSubject ? "I" : (english[lower] ?? word);
    },
  );
  return /^[A-Z]/.test(plain) ? turned.slice(0, 1).toUpperCase() + turned.slice(1) : turned;
}

const english: Readonly<Record<string, string>> = {
  "i'm": "you're",
  "i am": "you are",
  "i was": "you were",
  am: "are",
  myself: "yourself",
  mine: "yours",
  me: "you",
  my: "your",
  i: "you",
  "you're": "I'm",
  "you are": "I am",
  yourself: "myself",
  yours: "mine",
  your: "my",
  you: "me",
};
