/** Keys of well-known services by their beginning, and private keys. */
const keys =
  /\b(?:gh[opsur]_[A-Za-z0-9]{20,255}|github_pat_\w{20,255}|AKIA[A-Z0-9]{16}|AIza[\w-]{30,60}|xox[abprs]-[\w-]{10,255}|glpat-[\w-]{16,255}|hf_[A-Za-z0-9]{20,255}|tvly-[\w-]{16,255}|eyJ[\w-]{10,2048}\.[\w-]{10,2048})|-----BEGIN [A-Z ]{0,40}PRIVATE KEY/;

/** A run that people do not say aloud: long, mixing small and capital letters with digits, outside any address. */
const longRun = /(?<![\w/.+=-])[\w+/=-]{32,}/g;

/** 「密码是 …」: named as one. */
const named =
  /(?:密码|口令|验证码|私钥|助记词|パスワード|暗証番号|\b(?:password|passphrase|passcode|api key|secret key|pin)\b)[^\n。.!！?？]{0,12}?(?:是|为|=|:|は|\bis\b)\s{0,4}["'“「]?[!-~]{4,}/i;

/** 「支付密码 123456」, "my pin 4821": a value with a digit right behind the word needs no verb. A year is none. */
const beside =
  /(?:密码|口令|验证码|私钥|パスワード|暗証番号|\b(?:password|passphrase|passcode|passwd|api key|secret key|pin)\b(?: ?(?:码|code|number))?|PIN ?(?:码|番号))["'“「\s:#]{0,3}(?!(?:19|20)\d\d\s?年)(?=[!-~]{0,64}?\d)[!-~]{4}/i;

/** Numbers of identity papers, named as such. */
const paper =
  /身份证\D{0,12}\d{14,17}[\dX](?!\d)|(?:护照|passport|パスポート)[^\n\d。.!?]{0,16}?(?<![a-z])[a-z]{0,2}\d{7,9}(?!\d)|マイナンバー\D{0,8}\d{4}[ -]?\d{4}[ -]?\d{4}(?!\d)|\b(?:ssn|social security)\b\D{0,16}\d{3}-?\d{2}-?\d{4}(?!\d)/i;

/** Digits as cards and identity cards are written. */
const longNumber = /(?<![\d.])\d(?:[ -]?\d){12,18}(?:X(?![A-Z]))?(?!\d)/gi;

/** Something in the shape of a key or said to be one, which never belongs into a memory. */
export function looksSecret(text: string): boolean {
  const plain = text.normalize("NFKC");
  if (keys.test(text) || named.test(plain) || beside.test(plain) || paper.test(plain)) return true;
  if ([...plain.matchAll(longNumber)].some(([run]) => isIdentity(run) || isCard(run))) return true;
  return [...text.matchAll(longRun)].some(
    ([run]) => /[0-9]/.test(run) && /[a-z]/i.test(run) && new Set(run).size >= 12 && !/[-_/]{1}[a-z]+[-_/]/i.test(run),
  );
}

/** A Chinese identity card by its check digit, which may be X. */
function isIdentity(run: string): boolean {
  const digits = run.replaceAll(/[ -]/g, "").toUpperCase();
  if (!/^[1-8]\d{5}(?:18|19|20)\d{9}[\dX]$/.test(digits)) return false;
  let sum = 0;
  for (let at = 0; at < 17; at += 1) sum += Number(digits[at]) * (2 ** (17 - at) % 11);
  return "10X98765432"[sum % 11] === digits[17];
}

/** A bank card: the first digits that cards have, and the check digit of Luhn. */
function isCard(run: string): boolean {
  const digits = run.replaceAll(/[ -]/g, "");
  if (!/^[3-6]\d{12,18}$/.test(digits)) return false;
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const doubled = Number(digits.at(-1 - at)) * (at % 2 === 0 ? 1 : 2);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
