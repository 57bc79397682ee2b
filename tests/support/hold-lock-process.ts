// Takes a data folder, says so and waits for its end.
import { lockDataFolder } from "../../src/store/lock-data-folder.ts";

const [home = ""] = process.argv.slice(2);
lockDataFolder(home, "start");
process.stdout.write("locked\n");
setInterval(() => undefined, 60_000);
