import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take long, the longest first; seconds on a machine with two processors. */
const seconds: Readonly<Record<string, number>> = {
  "tests/stories/several-processes-faults.test.ts": 135,
  "tests/console/matrix-page.test.ts": 110,
  "tests/sandbox/probes.test.ts": 95,
  "tests/console/questions-page.test.ts": 60,
  "tests/console/chats-page.test.ts": 55,
  "tests/console/composer-page.test.ts": 55,
  "tests/stories/kill-matrix.test.ts": 50,
  "tests/stories/death-by-message.test.ts": 50,
  "tests/sandbox/podman.test.ts": 45,
  "tests/stories/qq-group-answer.test.ts": 45,
  "tests/console/page.test.ts": 45,
  "tests/recipes.test.ts": 40,
  "tests/faults/engine-killed.test.ts": 38,
  "tests/soak.test.ts": 37,
  "tests/sandbox/session-sandbox.test.ts": 37,
  "tests/stories/command-line.test.ts": 35,
  "tests/stories/crash-outside-commits.test.ts": 35,
  "tests/stories/kill-switch.test.ts": 35,
  "tests/stories/api.test.ts": 33,
  "tests/features/mcp/conformance.test.ts": 33,
  "tests/stories/answer-after-restart.test.ts": 30,
  "tests/stories/skill-store.test.ts": 30,
  "tests/stories/mcp.test.ts": 30,
  "tests/stories/mcp-serve.test.ts": 27,
  "tests/web/browser.test.ts": 27,
  "tests/sandbox/docker-sandbox.test.ts": 26,
  "tests/linear-time.test.ts": 26,
  "tests/stories/files.test.ts": 25,
  "tests/proof/injections.test.ts": 24,
  "tests/sandbox/other-runtime.test.ts": 23,
  "tests/sandbox/egress/connected-command.test.ts": 23,
  "tests/stories/worldlines-kill.test.ts": 22,
  "tests/faults/postgres-gone.test.ts": 22,
  "tests/contracts/tool.test.ts": 22,
  "tests/store/postgres.test.ts": 21,
  "tests/stories/crash-while-pairing.test.ts": 18,
  "tests/features/work-tools/shell-output.test.ts": 12,
};

/** So that no long file begins when all others are over. Vitest alone knows it only of files it has run before. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const last = (file: TestSpecification) => -(seconds[relative(this.ctx.config.root, file.moduleId)] ?? 0);
    return (await super.sort(files)).toSorted((a, b) => last(a) - last(b));
  }
}
