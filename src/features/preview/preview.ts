import { defineFeature } from "../../kernel/feature/define-feature.ts";
import { previewWords } from "./words.ts";
import { createPreviewQuestions } from "./preview-question.ts";
import { createToolPreviewer } from "./previewer.ts";
import { createThrowAwayCopies } from "./trees/throw-away-copies.ts";
import { previewTables } from "./tables.ts";

/**
 * Previews: the button and the word 「预览」 under a question try its calls out on a copy of the workspace, and report what
 * they would change.
 *
 *     previews.supports     decides whether a question has the button
 *     previews.begin        copies the workspace, runs the calls there without a network, compares the trees, sends the report
 *     previews.isOutdated   warns an approver that the workspace has changed since
 *     cleanUp               removes copies that a process left behind
 *
 * A preview approves nothing: it writes to the table `previews` only.
 */
export const preview = defineFeature({
  name: "preview",
  tables: previewTables,
  words: previewWords,
  make(kernel) {
    const { registry, workspace, workspaceRoot: root } = kernel;
    const copies = createThrowAwayCopies({ root, workspace });
    const previewer = createToolPreviewer({ ...kernel, copies, findTool: registry.find });
    const previews = createPreviewQuestions({
      ...kernel,
      previewer,
      endQuestion: (...end) => kernel.gateway.endQuestion(...end),
    });
    return { previews, cleanUp: copies.sweep, stop: previews.stop };
  },
});
