/**
 * The one catalogue of faults. `exit` is the process exit code when the fault ends a command:
 * 78 = configuration, 69 = something needed is not there, 1 = failed. docs/errors.md lists the same codes.
 */
export const errorCatalogue = {
  CONFIG_INVALID: {
    exit: 78,
    meaning: "The configuration or the environment has faults; each is listed with its place.",
  },
  USAGE: { exit: 78, meaning: "The command line was not understood; --help shows what is." },
  DATA_FOLDER_BUSY: { exit: 69, meaning: "Another process works on the same data folder." },
  DATA_FOLDER_UNUSABLE: { exit: 69, meaning: "The data folder cannot be created, read or written." },
  DATABASE_BUSY: { exit: 69, meaning: "Another process works on the same Postgres database." },
  DATABASE_UNREACHABLE: { exit: 69, meaning: "The Postgres server does not answer for now." },
  DATABASE_REFUSED: { exit: 78, meaning: "The Postgres server does not let us in, or cannot be used as it is." },
  STORE_NEWER: { exit: 69, meaning: "The database was written by a newer version of Kurisu." },
  DATABASE_DAMAGED: {
    exit: 69,
    meaning: "The file of the database is damaged; nothing is restored without being asked.",
  },
  BACKUP_FAILED: { exit: 1, meaning: "A backup could not be written; no half file is left." },
  BACKUP_DAMAGED: { exit: 1, meaning: "The file is no backup, or it is damaged; nothing was touched." },
  RESTORE_REFUSED: {
    exit: 69,
    meaning: "The backup cannot be restored here; the reason is named, and nothing was touched.",
  },
  RESTORE_UNFINISHED: { exit: 69, meaning: "A restore was cut off while it put the data in its place." },
  STORE_FAILED: { exit: 1, meaning: "The database refused a read or a write." },
  STORE_MOVED: { exit: 78, meaning: "The SQLite database of this data folder was moved to Postgres." },
  MOVE_REFUSED: { exit: 1, meaning: "The database was not moved to Postgres; the reason is named." },
  FILES_NOT_RESTORED: {
    exit: 1,
    meaning: "The files of a conversation could not be brought to this machine; those that were here stay.",
  },
  TURN_LOST: { exit: 1, meaning: "Another worker took this turn over; this one may not write any more." },
  TURN_STOPPED: { exit: 1, meaning: "The turn was stopped before it ended." },
  MODEL_UNAVAILABLE: { exit: 69, meaning: "No configured model answered." },
  MODEL_REFUSED_KEY: { exit: 69, meaning: "A model server refused the key." },
  MODEL_LIMITED: { exit: 69, meaning: "A model server was asked too often (429)." },
  MODEL_NO_CREDIT: { exit: 69, meaning: "There is no credit left at the model's provider." },
  MODEL_NOT_FOUND: { exit: 69, meaning: "The model server knows no model of that name." },
  MODEL_TOO_LONG: {
    exit: 69,
    meaning: "The conversation is longer than any model here takes, and nothing of it can be left out.",
  },
  MODEL_REFUSED_REQUEST: { exit: 69, meaning: "No model takes this very request, and not for its length." },
  MODEL_ANSWER_BROKEN: { exit: 1, meaning: "The model's answer was cut off or is not what the protocol promises." },
  EMBEDDINGS_UNAVAILABLE: { exit: 69, meaning: "The model for embeddings in this process is not there." },
  SANDBOX_UNAVAILABLE: {
    exit: 69,
    meaning: "No container engine or no sandbox image; nothing is run on the host instead.",
  },
  CHANNEL_REFUSED: { exit: 69, meaning: "A chat platform refused the credentials or the request for good." },
  CHANNEL_UNREACHABLE: { exit: 69, meaning: "A chat platform cannot be reached for now." },
  CONSOLE_NOT_THERE: { exit: 69, meaning: "The Kurisu that runs here has no HTTP server, so it has no console." },
  HTTP_PORT_BUSY: { exit: 69, meaning: "Another program listens on the HTTP address." },
  QUOTA_SPENT: { exit: 1, meaning: "The person has used up their tokens of today." },
  BUDGET_SPENT: { exit: 1, meaning: "What everybody together may use up today is used up." },
  PAUSED: { exit: 69, meaning: "An owner pulled the kill switch; nothing runs until /resume." },
  SKILL_REFUSED: { exit: 1, meaning: "A skill was not installed, updated or removed; the reason is named." },
  PERSONA_REFUSED: { exit: 1, meaning: "A persona was not imported, exported or chosen; the reason is named." },
  APPROVAL_NOT_FOUND: { exit: 1, meaning: "No such question, or it is closed." },
  APPROVAL_NOT_YOURS: { exit: 1, meaning: "The question needs somebody else's yes." },
  PUT_ASIDE: { exit: 1, meaning: "The process died of this message; it is not tried again." },
  INTERNAL: { exit: 1, meaning: "A fault of ours; the id leads to the audit and the log." },
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
