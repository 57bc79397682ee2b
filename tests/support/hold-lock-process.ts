// Takes a data folder, says so and waits for its end.
import { lockDataFolder } from "../../src/store/engines/lock-data-folder.ts";

const [home = ""] = process.argv.slice(2);
const lock = lockDataFolder(home, "start");
process.stdout.write("locked\n");
// A lock that nothing refers to is collected, and so given back.
setInterval(() => lock, 60_000);
