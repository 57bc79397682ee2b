const names = ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "LC_ALL", "TZ", "TMPDIR"];

/**
 * All that the process of a server gets of our environment, whoever brings the server: what programs need to find their way,
 * and nothing that opens a door.
 */
export function pickInherited(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
