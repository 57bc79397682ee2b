import { commandProbes } from "./commands.ts";
import { environmentProbes } from "./environment.ts";
import { exhaustionProbes } from "./exhaustion.ts";
import { hostReaderProbes } from "./host-reader.ts";
import { identityProbes } from "./identity.ts";
import { kernelInterfaceProbes } from "./kernel-interfaces.ts";
import { mountProbes } from "./mounts.ts";
import { networkProbes } from "./network.ts";
import { outputProbes } from "./output.ts";
import { processProbes } from "./processes.ts";
import { systemCallProbes } from "./system-calls.ts";
import type { ProbeArea } from "./types.ts";

/** The whole table. */
export const probeAreas: readonly ProbeArea[] = [
  identityProbes,
  environmentProbes,
  systemCallProbes,
  kernelInterfaceProbes,
  mountProbes,
  networkProbes,
  exhaustionProbes,
  outputProbes,
  processProbes,
  commandProbes,
  hostReaderProbes,
];
