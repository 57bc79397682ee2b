/**
 * The address of a Postgres database as the driver understands it; undefined when it would not parse it, or would take
 * a part of the password for something else. An empty host after a user
 * (`postgres://me@/name?host=/var/run/postgresql`) is right for the driver and for psql, and only where the options
 * name the host; `hostname` then holds nothing useful.
 */
export function parseDatabaseAddress(text: string): URL | undefined {
  if (!/^postgres(?:ql)?:\/\//i.test(text)) return undefined;
  const address = URL.parse(text) ?? URL.parse(text.replace("@/", "@localhost/"));
  if (!address || (!URL.canParse(text) && !address.searchParams.get("host"))) return undefined;
  // A raw # in a password ends the address there: `postgres://me:12#3@db/name` would be the host `me`.
  return text.includes("#") ? undefined : address;
}

/**
 * The address as the driver gets it. It takes these modes for `verify-full` already, and says in many lines on stderr
 * that a later version will not: said by its name, it stays silent and stays the same.
 */
export function nameTlsMode(text: string): string {
  if (/[?&]uselibpqcompat=true(?:&|$)/.test(text)) return text;
  return text.replaceAll(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/g, "$1verify-full");
}
