/** One bash command that sets variables and becomes the program; nothing in either is read as bash. */
export function quoteCommand(argv: readonly string[], environment: Readonly<Record<string, string>>): string {
  const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const variables = Object.entries(environment)
    .filter(([name]) => /^[A-Za-z_]\w*$/.test(name))
    .map(([name, value]) => `export ${name}=${quote(value)}; `);
  return `${variables.join("")}exec ${argv.map(quote).join(" ")}`;
}
