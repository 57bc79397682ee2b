import type { Logger } from "pino";
import { createWakeLoop, type WakeLoop } from "../../core/schedule/wake-loop.ts";
import type { KillSwitch } from "./kill-switch.ts";

const lookEveryMs = 1_000;

/** Another process may pause everything: what runs here is stopped within a second of it. */
export function followPause(parts: {
  readonly killSwitch: Pick<KillSwitch, "find" | "sweep">;
  readonly onResumed: () => void;
  readonly log: Logger;
}): WakeLoop {
  const { killSwitch, log } = parts;
  let was = false;
  return createWakeLoop({
    async look() {
      try {
        const isPaused = (await killSwitch.find()) !== undefined;
        if (isPaused && !was) await killSwitch.sweep();
        if (!isPaused && was) parts.onResumed();
        was = isPaused;
      } catch (error) {
        log.warn({ err: error }, "it could not be looked whether everything is paused; trying again");
      }
      return lookEveryMs;
    },
  });
}
