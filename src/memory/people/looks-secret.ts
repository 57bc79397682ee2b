/** Keys of well-known services by their beginning, and private keys. */
const keys =
  /\b(?:gh[opsur]_[A-Za-z0-9]{20,255}|github_pat_\w{20,255}|AKIA[A-Z0-9]{16}|AIza[\w-]{30,60}|xox[abprs]-[\w-]{10,255}|glpat-[\w-]{16,255}|hf_[A-Za-z0-9]{20,255}|tvly-[\w-]{16,255}|eyJ[\w-]{10,2048}\.[\w-]{10,2048})|-----BEGIN [A-Z ]{0,40}PRIVATE KEY/;

/** A run that nobody says aloud: long, of small and capital letters and digits, in no address. */
const longRun = /(?<![\w/.+=-])[\w+/=-]{32,}/g;

/** 「密码是 …」: told to be one. */
const named =
  /(?:密码|口令|验证码|私钥|助记词|パスワード|暗証番号|\b(?:password|passphrase|passcode|api key|secret key|pin)\b)[^\n。.!！?？]{0,12}?(?:是|为|=|:|は|\bis\b)\s{0,4}["'“「]?[!-~]{4,}/i;

/** Something in the shape of a key or said to be one, which never belongs into a memory. */
export function looksSecret(text: string): boolean {
  if (keys.test(text) || named.test(text.normalize("NFKC"))) return true;
  return [...text.matchAll(longRun)].some(
    ([run]) => /[0-9]/.test(run) && /[a-z]/i.test(run) && new Set(run).size >= 12 && !/[-_/]{1}[a-z]+[-_/]/i.test(run),
  );
}
