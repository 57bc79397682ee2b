import { dmailName } from "../../kernel/agent/rewind/dmail-call.ts";
import { defineFeature } from "../../kernel/feature/define-feature.ts";
import { createBranchSwitcher } from "./branch-switcher.ts";
import { createConsoleWorldlines } from "./console-worldlines.ts";
import { createCompleteNumbers } from "./complete-numbers.ts";
import { worldlineWords } from "./words.ts";
import { createWorldlineCommands } from "./worldline-commands.ts";

/**
 * World lines: a conversation is a tree, and people move between its branches. Two ways back, for people and for the model.
 *
 *     /worldline       lists the points of the current branch, and the other branches
 *     /worldline B     ends what waits for an answer (kernel.gateway.endOpenQuestions), then goes on where branch B was left
 *     /dmail N TEXT    does the same, forks a new branch after point N, and puts TEXT into the lane as the message there
 *     tool `dmail`     takes the running turn back to one of its rounds
 *
 * A move is one transaction, in which `branch-switcher.ts` changes `sessions.branch` and the table `branches`.
 * The kernel keeps what every turn reads: messages with their branch, parent and point, the current line
 * (`store/queries/current-line.ts`), and what a call of `dmail` does to the state of a turn (`kernel/agent/rewind/`).
 */
export const worldlines = defineFeature({
  name: "worldlines",
  words: worldlineWords,
  make(kernel) {
    const branchSwitcher = createBranchSwitcher(kernel);
    return {
      ...createWorldlineCommands({ ...kernel, branchSwitcher }),
      worldlines: createConsoleWorldlines({ ...kernel, branchSwitcher }),
      complete: createCompleteNumbers(kernel),
    };
  },
  commands: [
    {
      names: ["worldline"],
      menu: { zh: worldlineWords.zh.menu, en: worldlineWords.en.menu, ja: worldlineWords.ja.menu },
      who: "members",
      inGroups: true,
      answer: ({ worldline }, call) => worldline(call),
      complete: ({ complete }, session, words) => complete.branches(session, words),
    },
    {
      names: ["dmail"],
      menu: { zh: worldlineWords.zh.dmailMenu, en: worldlineWords.en.dmailMenu, ja: worldlineWords.ja.dmailMenu },
      who: "members",
      inGroups: true,
      beginsTurn: () => true,
      answer: ({ dmail }, call) => dmail(call),
      complete: ({ complete }, session, words) => complete.points(session, words),
    },
  ],
  soleTools: { [dmailName]: async () => (await import("./dmail-tool.ts")).createDMailTool() },
});
