// The thread that examine-aside.ts starts: a check of a large database would hold up every chat.
import { parentPort } from "node:worker_threads";
import { examineCopy } from "./examine-copy.ts";

parentPort?.postMessage("ready");

parentPort?.on("message", (folder: string) => {
  parentPort?.postMessage(examineCopy(folder));
});
