/**
 * The file of sqlite-vec for this machine; undefined when there is none, and a loop compares the vectors. It is one of
 * our packages, with a checksum in the lock file: no other library is ever loaded into the database.
 */
export async function findSqliteVec(): Promise<string | undefined> {
  try {
    const { getLoadablePath } = await import("sqlite-vec");
    return getLoadablePath();
  } catch {
    // Not installed, or not made for this platform.
    return undefined;
  }
}
