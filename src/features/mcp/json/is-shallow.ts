/** Whether a value is nested at most `levels` deep. Checked first: walking an endless one would overflow the stack. */
export function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((item) => isShallow(item, levels - 1));
}
