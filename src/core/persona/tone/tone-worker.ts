// The thread that tone-judge.ts starts and may end at any moment.
import { parentPort } from "node:worker_threads";
import { encodeTone, type ToneSource } from "./tone-judge.ts";

parentPort?.on("message", (source: ToneSource) => parentPort?.postMessage(encodeTone(source)));
parentPort?.postMessage("ready");
