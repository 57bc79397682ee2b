// The thread that search-thread.ts starts and may end at any moment.
import { parentPort } from "node:worker_threads";
import { search, type SearchWork } from "./search-work.ts";

// The time of a search is not the time of loading this.
parentPort?.postMessage("ready");

parentPort?.on("message", (work: SearchWork) => {
  parentPort?.postMessage(search(work));
});
