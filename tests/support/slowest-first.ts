import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take long, the longest first; seconds on a busy machine with two processors. */
const seconds: Readonly<Record<string, number>> = {
  "tests/stories/kill-matrix.test.ts": 200,
  "tests/sandbox/probes.test.ts": 140,
  "tests/stories/qq-group-answer.test.ts": 95,
  "tests/stories/command-line.test.ts": 90,
  "tests/stories/crash-outside-commits.test.ts": 85,
  "tests/stories/answer-after-restart.test.ts": 75,
  "tests/sandbox/podman.test.ts": 60,
  "tests/stories/worldlines-kill.test.ts": 50,
  "tests/stories/files.test.ts": 50,
  "tests/faults/engine-killed.test.ts": 45,
  "tests/sandbox/docker-sandbox.test.ts": 45,
  "tests/sandbox/session-sandbox.test.ts": 40,
  "tests/gateway/sub-agents.test.ts": 40,
  "tests/gateway/interleavings.test.ts": 38,
  "tests/faults/shutdown.test.ts": 38,
  "tests/stories/unanswered-questions.test.ts": 36,
  "tests/gateway/previews.test.ts": 35,
  "tests/faults/strange-models.test.ts": 35,
  "tests/stories/mcp-serve.test.ts": 35,
  "tests/stories/sub-agents.test.ts": 32,
  "tests/tools/builtin/browser.test.ts": 30,
  "tests/stories/preview.test.ts": 28,
  "tests/faults/postgres-gone.test.ts": 27,
  "tests/gateway/interleavings-model.test.ts": 27,
  "tests/sandbox/other-runtime.test.ts": 25,
  "tests/stories/crash-while-pairing.test.ts": 25,
  "tests/gateway/worldlines.test.ts": 24,
  "tests/faults/strange-messages.test.ts": 22,
  "tests/faults/disk-full.test.ts": 21,
};

/** So that no long file begins when all others are over. Vitest alone knows it only of files it has run before. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const last = (file: TestSpecification) => -(seconds[relative(this.ctx.config.root, file.moduleId)] ?? 0);
    return (await super.sort(files)).toSorted((a, b) => last(a) - last(b));
  }
}
