import { parentPort, workerData } from "node:worker_threads";
import { convertHtml, type HtmlPage } from "./convert-html.ts";

parentPort?.postMessage(convertHtml(workerData as HtmlPage));
