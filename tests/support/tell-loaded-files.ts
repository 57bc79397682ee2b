import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";

/** For `node --import`: adds a line to the file that LOADED_FILES names for every module that is loaded. */
registerHooks({
  load(url, context, next) {
    appendFileSync(process.env["LOADED_FILES"] ?? "", `${url}\n`);
    return next(url, context);
  },
});
