const letters = Array.from("αβγδεζηθικλμνξοπρστυφχψω");
const spelled =
  "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi psi omega".split(
    " ",
  );

/** World lines have letters, so that nobody takes one for a point: 1 is α, 2 is β, 25 is α2. */
export function nameBranch(number: number): string {
  const round = Math.floor((number - 1) / letters.length);
  return `${letters[(number - 1) % letters.length]}${round === 0 ? "" : round + 1}`;
}

/** `β`, `beta` and `2` are the same world line. undefined = that is no name of one. */
export function readBranch(text: string): number | undefined {
  const name = text.normalize("NFKC").trim().toLowerCase();
  if (/^[1-9]\d{0,5}$/.test(name)) return Number(name);
  const match = /^([α-ω]|[a-z]+)([1-9]\d{0,3})?$/.exec(name);
  const letter = match?.[1] ?? "";
  const index = Math.max(letters.indexOf(letter), spelled.indexOf(letter));
  if (index < 0) return undefined;
  return (Number(match?.[2] ?? 1) - 1) * letters.length + index + 1;
}
