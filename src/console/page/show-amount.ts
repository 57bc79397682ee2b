export interface ShowAmount {
  /** `612k` */
  readonly tokens: (count: number) => string;
  /** In the currency of the prices, which has no name. */
  readonly money: (amount: number) => string;
  /** `71%` */
  readonly share: (share: number) => string;
}

export function createShowAmount(tag: string): ShowAmount {
  // 61.2万 would be right in Chinese and Japanese, but tokens are counted in thousands everywhere.
  const tokens = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
  const small = new Intl.NumberFormat(tag, { maximumFractionDigits: 4 });
  const money = new Intl.NumberFormat(tag, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const share = new Intl.NumberFormat(tag, { style: "percent", maximumFractionDigits: 0 });
  return {
    tokens: (count) => tokens.format(count).toLowerCase().replace("m", " M").replace("k", " k"),
    money: (amount) => (amount > 0 && amount < 0.01 ? small : money).format(amount),
    share: (part) => share.format(part),
  };
}

export function showDuration(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
}
