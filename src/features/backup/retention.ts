const prefix = "kurisu-";
const suffix = ".tar.gz";
const pattern = /^kurisu-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})Z\.tar\.gz$/;

/** `kurisu-2026-11-22T04-05-06Z.tar.gz`: names in the order of the alphabet are in the order of time. */
export function nameBackup(at: number): string {
  return `${prefix}${new Date(at).toISOString().slice(0, 19).replaceAll(":", "-")}Z${suffix}`;
}

/** When an automatic backup of this name was made; undefined for every other file. */
export function readBackupTime(name: string): number | undefined {
  const [, day, hour, minute, second] = pattern.exec(name) ?? [];
  return day === undefined ? undefined : Date.parse(`${day}T${hour}:${minute}:${second}Z`);
}

/**
 * The names that are no longer kept: neither among the newest `hourly`, nor the newest of its day (UTC) in the last
 * `daily` days that have one. Files of another name are never listed.
 */
export function listOutdated(
  names: readonly string[],
  kept: { readonly hourly: number; readonly daily: number },
): readonly string[] {
  const ours = names
    .filter((name) => readBackupTime(name) !== undefined)
    .toSorted()
    .toReversed();
  const newestOfDay = new Map<string, string>();
  for (const name of ours) {
    const day = name.slice(prefix.length, prefix.length + 10);
    if (!newestOfDay.has(day)) newestOfDay.set(day, name);
  }
  const wanted = new Set([...ours.slice(0, kept.hourly), ...[...newestOfDay.values()].slice(0, kept.daily)]);
  return ours.filter((name) => !wanted.has(name));
}
