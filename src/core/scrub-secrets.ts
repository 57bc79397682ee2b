/**
 * Takes secrets out of a text before it is logged, kept in the audit or shown in a chat: known values in every form
 * they travel in, and what looks like a credential without being known.
 */

/** The text in place of a secret. */
export const secretMark = "[secret]";

/** A known value below this length is also an ordinary word or number, and hiding it would ruin the text. */
const minSecretLength = 6;

interface SecretPattern {
  /** Occurs in every text that holds a match. Most texts lack it, and looking for it takes a hundredth of the time. */
  readonly sign: RegExp;
  readonly pattern: RegExp;
}

/**
 * Each pattern matches the secret itself; its label stays readable. All have the flag `g`. A match over megabytes would
 * overflow the stack of the expression, so each has an end.
 */
const secretPatterns: readonly SecretPattern[] = [
  // A Telegram bot token, also inside `/bot<token>/` and with its colon URL-encoded.
  { sign: /\d{8}/, pattern: /(?<!\d)\d{8,10}(?::|%3[Aa])[\w-]{35}(?![\w-])/g },
  { sign: /sk-/, pattern: /\bsk-[\w-]{16,8192}/g },
  {
    sign: /(?:Bearer|QQBot|Basic) /i,
    // The long look-behind comes last: from each of many spaces it would be a walk over all of them.
    pattern: /(?<= )(?=[\w.~+/=-]{8})(?<=\b(?:Bearer|QQBot|Basic) +)[\w.~+/=-]{8,8192}/gi,
  },
  // The password of `scheme://user:password@host`.
  { sign: /:\/\//, pattern: /(?<=:\/\/[^\s/:@"']*:)[^\s/@"']{1,8192}(?=@)/g },
];

/** Makes a pure function that replaces the secrets in a text by `[secret]`. */
export function createScrubber(secrets: readonly string[]): (text: string) => string {
  const ordered = listForms(secrets).sort((a, b) => b.length - a.length);
  const known = ordered.length === 0 ? [] : [new RegExp(ordered.map(escapeForRegExp).join("|"), "g")];
  return (text) => {
    const likely = secretPatterns.filter(({ sign }) => sign.test(text)).map(({ pattern }) => pattern);
    return replaceAll(text, [...known, ...likely]);
  };
}

/** Letters of a secret that are no secret yet: otherwise too many words would be held back. */
const harmless = 3;

/**
 * Makes a pure function that cuts off the end of a text that is still being written, where it may be the beginning of a
 * secret: half of one is found by no scrubber.
 */
export function createHoldBack(secrets: readonly string[]): (text: string) => string {
  const forms = listForms(secrets);
  const byStart = Map.groupBy(forms, (form) => form.slice(0, harmless + 1));
  // A secret of several words is shown word by word, and its first one may be short.
  const shortWords = new Set(forms.flatMap((form) => new RegExp(`^\\S{1,${harmless}}(?=\\s)`).exec(form) ?? []));
  const longest = Math.max(0, ...forms.map((form) => form.length));
  return (text) => {
    for (let start = Math.max(0, text.length - longest + 1); start < text.length - harmless; start += 1) {
      const found = byStart.get(text.slice(start, start + harmless + 1));
      const tail = found && text.slice(start);
      if (tail && found.some((form) => form.length > tail.length && form.startsWith(tail))) return text.slice(0, start);
    }
    const [word] = /(?<=^|\s)\S+$/.exec(text.slice(-harmless - 1)) ?? [];
    return word !== undefined && shortWords.has(word) ? text.slice(0, -word.length) : text;
  };
}

/** Known values in every form they travel in. */
function listForms(secrets: readonly string[]): string[] {
  return [...new Set(secrets.filter((secret) => secret.length >= minSecretLength).flatMap(formsOf))];
}

/** All matches are found in the text as it came: a short secret must not break up the match of a long one. */
function replaceAll(text: string, patterns: readonly RegExp[]): string {
  const found = patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => ({ start: match.index, end: match.index + match[0].length })),
  );
  if (found.length === 0) return text;
  found.sort((a, b) => a.start - b.start);
  let result = "";
  let position = 0;
  for (const { start, end } of found) {
    if (start >= position) result += text.slice(position, start) + secretMark;
    position = Math.max(position, end);
  }
  return result + text.slice(position);
}

function formsOf(secret: string): string[] {
  // JSON within JSON within a line of the log: three levels.
  const json = escapeAsJson(secret);
  const quoted = escapeAsJson(json);
  const url = encodeURIComponent(secret.toWellFormed());
  return [
    secret,
    json,
    quoted,
    escapeAsJson(quoted),
    url,
    url.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase()),
    new URLSearchParams([["", secret]]).toString().slice(1),
    ...base64FormsOf(secret),
    ...hexFormsOf(secret),
    Array.from(secret).toReversed().join(""),
  ];
}

/**
 * Base64 of the secret alone and as a part of something longer, such as `user:secret`: there the letters depend on how
 * many bytes precede it (modulo 3), and the first and last ones also on its neighbours, so those are left out.
 */
function base64FormsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, "utf8");
  const parts = [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    return encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  const whole = bytes.toString("base64").replace(/=+$/, "");
  return [whole, ...parts].flatMap((form) => [form, form.replaceAll("+", "-").replaceAll("/", "_")]);
}

function hexFormsOf(secret: string): string[] {
  const hex = Buffer.from(secret, "utf8").toString("hex");
  return [hex, hex.toUpperCase()];
}

function escapeAsJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function escapeForRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
}
