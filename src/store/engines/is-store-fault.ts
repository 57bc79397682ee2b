/** Of the network: the server is away, starts again, or cannot be found for now. */
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

/** Faults that the driver and its pool tell without a code. */
const lostConnection =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed|Postgres connection has been discarded)/;

/** The disk is full, the file is locked, the server is away: it may pass, and says nothing about the work at hand. */
export function isStoreFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (!("code" in error) || typeof error.code !== "string") return lostConnection.test(error.message);
  return error.code === "ERR_SQLITE_ERROR" || network.has(error.code) || passing.test(error.code);
}
