import type { Logger } from "pino";
import { reportFault } from "./cli/report-fault.ts";

/** On Postgres the data folder's lock is not enough: another machine has another folder and the same database. */
export async function holdDatabase(
  url: string,
  options: { readonly purpose: string; readonly json: boolean; readonly log: Logger },
) {
  const { purpose, json, log } = options;
  const { lockDatabase } = await import("./store/engines/lock-database.ts");
  return lockDatabase({
    url,
    purpose,
    onTrouble: (reason) => log.warn({ reason }, "the database's lock"),
    // Whoever has the lock now answers everybody; one more answer from here would be one too many.
    onLost(fault) {
      log.fatal({ err: fault }, "another process took the database over");
      process.exit(reportFault(fault, json));
    },
  });
}
