import { monitorEventLoopDelay, type ELDHistogram } from "node:perf_hooks";
import { describeCounter, describeGauge, type Family } from "./metrics-page.ts";

/** A coarse look: a fine one would wake an idle process a hundred times a second. */
const resolutionMs = 100;

/**
 * Memory, processor time and the delay of the event loop, under the names that prom-client gives them, which dashboards
 * know. The delay is watched from the first request on; each answer covers the time since the previous one.
 */
export function createProcessMeasure(): { readonly list: () => readonly Family[]; readonly stop: () => void } {
  let delay: ELDHistogram | undefined;

  function describeDelay(): readonly Family[] {
    if (delay === undefined) {
      delay = monitorEventLoopDelay({ resolution: resolutionMs });
      delay.enable();
    }
    const { min, max } = delay;
    // A histogram without a value has a minimum above its maximum.
    const late = (nanoseconds: number) => (min > max ? 0 : Math.max(0, nanoseconds / 1e9 - resolutionMs / 1000));
    const families = [
      describeGauge(
        "nodejs_eventloop_lag_p50_seconds",
        "The median delay of the event loop.",
        late(delay.percentile(50)),
      ),
      describeGauge("nodejs_eventloop_lag_p99_seconds", "The 99th percentile of it.", late(delay.percentile(99))),
      describeGauge("nodejs_eventloop_lag_max_seconds", "The longest delay.", late(max)),
    ];
    delay.reset();
    return families;
  }

  return {
    list() {
      const { rss, heapUsed } = process.memoryUsage();
      const { user, system } = process.cpuUsage();
      return [
        describeGauge("process_resident_memory_bytes", "Resident memory.", rss),
        describeGauge("nodejs_heap_size_used_bytes", "The used part of the heap.", heapUsed),
        describeCounter("process_cpu_seconds_total", "Processor time.", [{ value: (user + system) / 1e6 }]),
        describeGauge(
          "process_start_time_seconds",
          "Start of the process, seconds since 1970.",
          Math.round(performance.timeOrigin / 1000),
        ),
        ...describeDelay(),
      ];
    },
    stop: () => void delay?.disable(),
  };
}
