/** `1 file`, `2 files`: the one way in which English texts of ours count things. `several` where an s alone does not do. */
export function countOf(count: number | string, one: string, several = `${one}s`): string {
  return `${count} ${`${count}` === "1" ? one : several}`;
}
