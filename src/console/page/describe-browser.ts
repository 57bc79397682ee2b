const browsers = [
  ["Edge", /Edg(?:A|iOS)?\//],
  ["Opera", /OPR\//],
  ["Firefox", /Firefox\/|FxiOS\//],
  ["Chrome", /Chrome\/|CriOS\//],
  ["Safari", /Safari\//],
] as const;
const systems = [
  ["iPhone", /iPhone/],
  ["iPad", /iPad/],
  ["Android", /Android/],
  ["Windows", /Windows/],
  ["Mac", /Macintosh/],
  ["Linux", /Linux|X11/],
] as const;

/** `Firefox, Windows`: enough to know one's own devices by. Undefined when it says neither. */
export function describeBrowser(agent: string): string | undefined {
  const find = (list: readonly (readonly [string, RegExp])[]) => list.find(([, sign]) => sign.test(agent))?.[0];
  const found = [find(browsers), find(systems)].filter((part) => part !== undefined);
  return found.length === 0 ? undefined : found.join(", ");
}
