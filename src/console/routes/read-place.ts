/** A number of a row as a query value; undefined when there is none. */
export function readPlace(value: string | undefined): number | undefined | "invalid" {
  if (value === undefined) return undefined;
  return /^\d{1,15}$/.test(value) ? Number(value) : "invalid";
}
