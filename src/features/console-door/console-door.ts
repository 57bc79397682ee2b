import { defineFeature } from "../../kernel/feature/define-feature.ts";
import { pickMenu } from "../../kernel/feature/pick-menu.ts";
import { createAnswerConsole } from "./answer-console.ts";
import { consoleDoorWords } from "./words.ts";

/**
 * `/console`: a code for the web console, for the person who asks in private. What they see there is decided by the console,
 * which looks at their role at each request.
 */
export const consoleDoor = defineFeature({
  name: "console-door",
  words: consoleDoorWords,
  make: (kernel) => ({ answer: createAnswerConsole(kernel) }),
  commands: [
    {
      names: ["console"],
      menu: pickMenu(consoleDoorWords, "console"),
      who: "members",
      whilePaused: true,
      answer: ({ answer }, call) => answer(call),
    },
  ],
});
