/** Faults of the network: the server is away, starts again, or cannot be found for now. */
const network = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);

/**
 * SQLSTATEs that pass over (PostgreSQL documentation, appendix A): 08 connection, 53 resources (disk, memory, too many
 * connections), 57P0x shut down or starting, 40001 and 40P01 what another transaction did.
 */
const passing = /^(?:08...|53...|57P0[1-5]|40001|40P01|25P03)$/;

/** Faults that the driver and its pool report without a code. */
const lostConnection =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed|Postgres connection has been discarded)/;

/** The disk is full, the file is locked, the server is away: it may pass, and says nothing about the work at hand. */
export function isStoreFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (!("code" in error) || typeof error.code !== "string") return lostConnection.test(error.message);
  return error.code === "ERR_SQLITE_ERROR" || network.has(error.code) || passing.test(error.code);
}

/** SQLite's SQLITE_TOOBIG, _CONSTRAINT, _MISMATCH and _RANGE (https://sqlite.org/rescode.html). */
const ofRow = new Set([18, 19, 20, 25]);

/** The engine refuses these values, and will the next time. */
export function isRowFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("errcode" in error && typeof error.errcode === "number") return ofRow.has(error.errcode & 0xff);
  return "code" in error && typeof error.code === "string" && /^(?:22|23)...$/.test(error.code);
}
