/** The disk is full, the file is locked: it may pass, and says nothing about the work at hand. */
export function isStoreFault(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_SQLITE_ERROR";
}
