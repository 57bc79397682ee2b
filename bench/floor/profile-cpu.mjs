// Loaded before the program (node --import). SIGUSR2 begins a profile of its processor time, the next one writes it.
import { renameSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";

let session;

async function toggle() {
  let written = {};
  if (session === undefined) {
    session = new Session();
    session.connect();
    await session.post("Profiler.enable");
    await session.post("Profiler.setSamplingInterval", { interval: 250 });
    await session.post("Profiler.start");
  } else {
    written = (await session.post("Profiler.stop")).profile;
    session.disconnect();
    session = undefined;
  }
  const { BENCH_OUTPUT: output } = process.env;
  writeFileSync(`${output}.new`, JSON.stringify(written));
  renameSync(`${output}.new`, output);
}

process.on("SIGUSR2", () => void toggle());
