// The thread that skill-models.ts starts and may end at any moment.
import { parentPort } from "node:worker_threads";
import { buildModel, type ModelSource } from "./build-model.ts";

// The time of learning is not the time of loading this.
parentPort?.postMessage("ready");

parentPort?.on("message", (source: ModelSource) => parentPort?.postMessage(buildModel(source)));
