import { parentPort, workerData } from "node:worker_threads";
import { convertHtml, type HtmlPage } from "./convert-html.ts";

// eslint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
parentPort?.postMessage(convertHtml(workerData as HtmlPage));
