/**
 * The one catalogue of faults. `exit` is the process exit code when the fault ends a command:
 * 78 = configuration, 69 = something needed is not there, 1 = failed. docs/errors.md lists the same codes.
 */
export const errorCatalogue = {
  CONFIG_INVALID: {
    exit: 78,
    meaning: "The configuration or the environment has faults.",
  },
  USAGE: { exit: 78, meaning: "The command line was not understood." },
  DATA_FOLDER_BUSY: { exit: 69, meaning: "Another process uses the data folder." },
  DATA_FOLDER_UNUSABLE: { exit: 69, meaning: "The data folder cannot be created, read or written." },
  DATABASE_BUSY: { exit: 69, meaning: "Another process uses the Postgres database." },
  DATABASE_UNREACHABLE: { exit: 69, meaning: "The Postgres server does not answer." },
  DATABASE_REFUSED: { exit: 78, meaning: "The Postgres server refuses access or is unusable." },
  STORE_NEWER: { exit: 69, meaning: "A newer version of Kurisu wrote the database." },
  DATABASE_DAMAGED: {
    exit: 69,
    meaning: "The database file is damaged; nothing is restored unasked.",
  },
  BACKUP_FAILED: { exit: 1, meaning: "A backup could not be written; no partial file is left." },
  BACKUP_DAMAGED: { exit: 1, meaning: "The file is damaged or no backup; nothing was touched." },
  RESTORE_REFUSED: {
    exit: 69,
    meaning: "The backup cannot be restored here; nothing was touched.",
  },
  RESTORE_UNFINISHED: { exit: 69, meaning: "A restore was interrupted halfway." },
  STORE_FAILED: { exit: 1, meaning: "The database refused a read or write." },
  STORE_MOVED: { exit: 78, meaning: "This folder's database moved to Postgres." },
  MOVE_REFUSED: { exit: 1, meaning: "The database was not moved to Postgres." },
  FILES_NOT_RESTORED: {
    exit: 1,
    meaning: "A conversation's files could not be fetched; local ones stay.",
  },
  TURN_LOST: { exit: 1, meaning: "Another worker took this turn over." },
  TURN_STOPPED: { exit: 1, meaning: "The turn was stopped before it ended." },
  MODEL_UNAVAILABLE: { exit: 69, meaning: "No configured model answered." },
  MODEL_REFUSED_KEY: { exit: 69, meaning: "A model server refused the key." },
  MODEL_LIMITED: { exit: 69, meaning: "A model server was asked too often (429)." },
  MODEL_NO_CREDIT: { exit: 69, meaning: "The model's provider has no credit left." },
  MODEL_NOT_FOUND: { exit: 69, meaning: "The model server does not know the model." },
  MODEL_TOO_LONG: {
    exit: 69,
    meaning: "The conversation is too long for every model.",
  },
  MODEL_REFUSED_REQUEST: { exit: 69, meaning: "No model accepts this request; its length is fine." },
  MODEL_ANSWER_BROKEN: { exit: 1, meaning: "The model's answer was cut off or malformed." },
  EMBEDDINGS_UNAVAILABLE: { exit: 69, meaning: "The local embedding model is missing." },
  SANDBOX_UNAVAILABLE: {
    exit: 69,
    meaning: "No container engine or image; nothing runs on the host.",
  },
  CHANNEL_REFUSED: { exit: 69, meaning: "A chat platform refused the credentials or request permanently." },
  CHANNEL_UNREACHABLE: { exit: 69, meaning: "A chat platform cannot be reached." },
  CONSOLE_NOT_THERE: { exit: 69, meaning: "The running Kurisu has no HTTP server." },
  HTTP_PORT_BUSY: { exit: 69, meaning: "Another program listens on the HTTP address." },
  QUOTA_SPENT: { exit: 1, meaning: "The person's tokens for today are used up." },
  BUDGET_SPENT: { exit: 1, meaning: "Today's budget of all people is used up." },
  PAUSED: { exit: 69, meaning: "An owner used the kill switch; nothing runs." },
  SKILL_REFUSED: { exit: 1, meaning: "A skill was not installed, updated or removed." },
  PERSONA_REFUSED: { exit: 1, meaning: "A persona was not imported, exported or chosen." },
  APPROVAL_NOT_FOUND: { exit: 1, meaning: "No such open question." },
  APPROVAL_NOT_YOURS: { exit: 1, meaning: "The question needs another person's approval." },
  PUT_ASIDE: { exit: 1, meaning: "This message killed the process; it is not retried." },
  INTERNAL: { exit: 1, meaning: "A fault in Kurisu." },
} as const;

export type ErrorCode = keyof typeof errorCatalogue;

/** A fault that an operator or a developer must see. Expected failures are data, not errors. */
export class AppError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "AppError";
    this.code = code;
  }

  get exitCode(): number {
    return errorCatalogue[this.code].exit;
  }
}

/** Any thrown value as one line of text. */
export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
