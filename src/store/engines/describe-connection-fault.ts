import { AppError, describeError, type ErrorCode } from "../../core/errors.ts";
import { isStoreFault } from "./is-store-fault.ts";
import { parseDatabaseAddress } from "./parse-database-address.ts";

/** The address without its password and options: what may be shown and logged. */
export function describeDatabase(url: string): string {
  const address = parseDatabaseAddress(url);
  if (!address) return "the address in DATABASE_URL";
  const { username, host, pathname, searchParams } = address;
  const user = username === "" ? "" : `${username}@`;
  const elsewhere = searchParams.get("host");
  // The driver prefers the host in the options to the one in front of the name.
  return elsewhere ? `postgres://${user}${pathname}?host=${elsewhere}` : `postgres://${user}${host}${pathname}`;
}

const ownDatabase = "Kurisu needs a database (or schema) of its own: createdb --owner USER --encoding UTF8 NAME.";

/** SQLSTATEs (PostgreSQL documentation, appendix A) that say what the operator has to do. */
const remedies: Readonly<Record<string, string>> = {
  "28P01": "The password is wrong. Correct it in DATABASE_URL (special characters as %XX).",
  "28000":
    "The server lets this user in from here only with other settings (no encryption = add ?sslmode=require). Look at its pg_hba.conf.",
  "3D000": "There is no such database. Make it: createdb --owner USER --encoding UTF8 NAME.",
  "42501": "This user may not make tables there. Make the user the owner of the database.",
  "42P07": `Something else has its tables there. ${ownDatabase}`,
  "25006": "The server is read-only. Name the primary in DATABASE_URL.",
};

const noTls = "Turn TLS on there, or write sslmode=disable in DATABASE_URL: then nothing is encrypted.";
const unknownCertificate =
  "Name the file of its authority in DATABASE_URL (sslrootcert=FILE), or write sslmode=no-verify: then nobody checks who answers.";
/** Node's codes for a certificate it does not trust. */
const certificateCodes = /^(?:CERT_|ERR_TLS_CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(?:GET_ISSUER|VERIFY)_)/;

function findRemedy(error: unknown): string | undefined {
  const code = readCode(error);
  if (certificateCodes.test(code)) return unknownCertificate;
  // The driver gives this one no code.
  if (code === "" && describeError(error).includes("does not support SSL")) return noTls;
  return remedies[code];
}

/** Any error of a first connection as one fault with its remedy; what is one already stays as it is. */
export function describeConnectionFault(url: string, error: unknown): AppError {
  const [root, where] = [findRoot(error), describeDatabase(url)];
  const remedy = findRemedy(root);
  if (remedy !== undefined) return fault("DATABASE_REFUSED", `${where}: ${describeError(root)}. ${remedy}`, error);
  if (error instanceof AppError) return error;
  if (isStoreFault(root)) {
    const what = describeError(root) || readCode(root);
    return fault(
      "DATABASE_UNREACHABLE",
      `${where} does not answer: ${what}. Start it, or correct DATABASE_URL.`,
      error,
    );
  }
  return fault("DATABASE_REFUSED", `Cannot use ${where}: ${describeError(root)}. Correct DATABASE_URL.`, error);
}

function fault(code: ErrorCode, message: string, cause: unknown): AppError {
  return new AppError(code, message, { cause });
}

function findRoot(error: unknown): unknown {
  return error instanceof AppError && error.cause !== undefined ? findRoot(error.cause) : error;
}

function readCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
