/** `84 KB`. */
export function showSize(bytes: number): string {
  const units = ["B", "KB", "MB", "GB"] as const;
  const step = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const amount = bytes / 1024 ** step;
  return `${amount < 10 && step > 0 ? amount.toFixed(1) : Math.round(amount)} ${units[step]}`;
}
