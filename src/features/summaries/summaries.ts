import type { TurnInput } from "../../kernel/agent/types.ts";
import { defineFeature } from "../../kernel/feature/define-feature.ts";
import { createKeepWhole } from "./keep-whole.ts";
import { createSummariser } from "./summariser.ts";
import { createSummaryJobs } from "./summary-jobs.ts";
import { summaryTables } from "./tables.ts";

/**
 * Summaries make a long conversation fit a prompt.
 *
 *     settled         after a long turn: the older sentences can be found by their words (`queries/remarks.ts`), and a
 *                     job is ordered
 *     job `summary`   a small model sums up one piece after the other; an extract takes the place of a text that lost
 *                     something. One lane for all: one at a time is enough of work that no person waits for
 *
 * The kernel puts the newest summaries into the prompt (`kernel/agent/context`), memory finds the remarks again.
 */
export const summaries = defineFeature({
  name: "summaries",
  tables: summaryTables,
  make(kernel) {
    const jobs = createSummaryJobs({
      ...kernel,
      summariser: createSummariser({ ...kernel, models: kernel.smallModel, keepWhole: createKeepWhole(kernel) }),
      findPause: kernel.findPause,
      pushToLane: (item) => kernel.gateway.pushToLane(item),
    });
    return {
      async settled(input: TurnInput, isLong: boolean) {
        // A single huge turn is noticed at the start of the next.
        if (isLong) await jobs.order(input);
      },
      jobs: { summary: { lane: () => "summaries", whilePaused: true, silent: true, work: jobs.work } } as const,
    };
  },
});
