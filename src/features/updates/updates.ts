import { kurisuCommand } from "../../core/kurisu-command.ts";
import { readProgramVersion } from "../../core/program-version.ts";
import { defineFeature } from "../../kernel/feature/define-feature.ts";
import { recordRelease } from "./release-history.ts";
import { updateTables } from "./tables.ts";

/**
 * Which versions worked on the database, so that `doctor` can tell what an update changed.
 *
 *     release-history.ts   a row at the first start with another version
 *     read-changes.ts      what CHANGELOG.md says of the versions in between
 */
export const updates = defineFeature({
  name: "updates",
  tables: updateTables,
  make({ clock, log, store }) {
    let recording = Promise.resolve();
    async function record(): Promise<void> {
      try {
        const version = readProgramVersion();
        const change = await recordRelease(store.main, version, clock.now());
        if (change?.from !== undefined)
          log.info({ from: change.from, to: version }, `another version; ${kurisuCommand} doctor tells what changed`);
      } catch (error) {
        log.warn({ err: error }, "the version of this start could not be recorded");
      }
    }
    return {
      start() {
        recording = record();
      },
      stop: () => recording,
    };
  },
});
