// Holds the lock of the database it is given, until it is killed.
import { lockDatabase } from "../../src/store/engines/lock-database.ts";

const [url = ""] = process.argv.slice(2);
await lockDatabase({ url, purpose: "start", onLost: () => process.exit(1), onTrouble: console.error });
process.stdout.write("locked\n");
setInterval(() => undefined, 60_000);
