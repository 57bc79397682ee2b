import { AppError, describeError, type ErrorCode } from "../../core/errors.ts";
import { isStoreFault } from "../is-store-fault.ts";

/** The address without its password and options: what may be shown and logged. */
export function describeDatabase(url: string): string {
  const { username, host, pathname } = new URL(url);
  return `postgres://${username === "" ? "" : `${username}@`}${host}${pathname}`;
}

/** SQLSTATEs (PostgreSQL documentation, appendix A) that say what the operator has to do. */
const remedies: Readonly<Record<string, string>> = {
  "28P01": "The password is wrong. Correct it in DATABASE_URL (special characters as %XX).",
  "28000": "The server lets this user in from here only with other settings. Look at its pg_hba.conf.",
  "3D000": "There is no such database. Make it: createdb --owner USER --encoding UTF8 NAME.",
  "42501": "This user may not make tables there. Make the user the owner of the database.",
  "25006": "The server is read-only. Name the primary in DATABASE_URL.",
};

/** Any error of a first connection as one fault with its remedy; what is one already stays as it is. */
export function describeConnectionFault(url: string, error: unknown): AppError {
  const [root, where] = [findRoot(error), describeDatabase(url)];
  const code = readCode(root);
  const remedy = remedies[code];
  if (remedy !== undefined) return fault("DATABASE_REFUSED", `${where}: ${describeError(root)}. ${remedy}`, error);
  if (error instanceof AppError) return error;
  if (isStoreFault(root)) {
    const what = describeError(root) || code;
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
