/**
 * Takes a bot token out of any text. telegraf writes it into request URLs and hides it only in some of its errors
 * (a broken JSON answer, for one, still carries it).
 */
export function createTokenScrubber(token: string): (text: string) => string {
  const secret = token.slice(token.indexOf(":") + 1);
  const spellings = [token, encodeURIComponent(token), secret].filter((spelling) => spelling.length > 0);
  return (text) => {
    const scrubbed = spellings.reduce((rest, spelling) => rest.replaceAll(spelling, "[token]"), text);
    return scrubbed.replaceAll(/\b(bot|user)?\d{3,}:[\w-]{20,}/g, "$1[token]");
  };
}
