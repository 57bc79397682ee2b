/** The number of a row in a query value or a path; undefined when there is no value. */
export function readRowNumber(value: string | undefined): number | undefined | "invalid" {
  if (value === undefined) return undefined;
  return /^\d{1,15}$/.test(value) ? Number(value) : "invalid";
}
