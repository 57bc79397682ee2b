import type { HttpRoutes } from "../channels/http-routes.ts";
import type { Configuration } from "../config.ts";
import type { Meter } from "../core/meter.ts";
import { createVoiceCounts, type VoiceCounts } from "../core/persona/voice-counts.ts";
import { readProgramVersion } from "../core/program-version.ts";
import { createHappeningCounts } from "../kernel/http/count-happenings.ts";
import { createProcessMeasure } from "../kernel/http/measure-process.ts";
import { mountSection } from "../kernel/http/metrics-page.ts";
import { mountMetrics } from "../kernel/http/mount-metrics.ts";
import { mountWorkMetrics, type WorkMeasures } from "../kernel/http/mount-work-metrics.ts";
import type { Ground } from "./open-ground.ts";

/** The counts of this process with the page that shows them, and the traces where a collector takes them. */
export interface Measures {
  readonly meter: Meter;
  readonly voiceCounts: VoiceCounts;
  mount(http: Pick<HttpRoutes, "app">, work: WorkMeasures): void;
  stop(): Promise<void>;
}

export async function assembleMeasures(
  { telemetry }: Pick<Configuration, "telemetry">,
  { clock, log }: Pick<Ground, "clock" | "log">,
): Promise<Measures> {
  const counts = createHappeningCounts();
  const voiceCounts = createVoiceCounts(clock);
  const ofProcess = createProcessMeasure();
  const { endpoint, headers } = telemetry;
  const tracer = endpoint === undefined ? undefined : await openTracer(endpoint);

  async function openTracer(at: string) {
    // An installation without a collector loads nothing of OpenTelemetry.
    const { openTracer: open } = await import("../kernel/tracing/open-tracer.ts");
    return open({ endpoint: at, headers, version: readProgramVersion(), log });
  }

  return {
    meter(happening) {
      counts.meter(happening);
      try {
        tracer?.meter(happening);
      } catch (error) {
        log.debug({ err: error }, "a trace has a gap");
      }
    },
    voiceCounts,
    mount(http, work) {
      mountMetrics(http, voiceCounts.list);
      mountSection(http, async () => counts.list());
      mountWorkMetrics(http, work);
      mountSection(http, async () => ofProcess.list());
    },
    async stop() {
      ofProcess.stop();
      await tracer?.close();
    },
  };
}
