/** A tool name or pattern of the configuration as an expression: `*` stands for any letters, nothing else is special. */
export function toToolPattern(glob: string): RegExp {
  const parts = glob.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\-]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join(".*")}$`);
}
