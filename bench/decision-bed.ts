import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type Docker from "dockerode";
import { createShellTool } from "../src/features/work-tools/shell.ts";
import type { PermissionRules } from "../src/kernel/gate/permission.ts";
import type { Sandbox } from "../src/sandbox/types.ts";
import type { Tool } from "../src/kernel/tools/types.ts";
import { createWorkspace } from "../src/workspace/create-workspace.ts";
import { pressOf, TestGateway } from "../tests/support/gateway.ts";
import { createTestSandbox } from "../tests/support/test-sandbox.ts";

const rules: PermissionRules = { permissions: { safe: [], confirm: ["shell"], deny: [] }, rules: [], exclude: [] };

/** A real gateway, store and sandbox with stamps at the three places that count. */
export interface DecisionBed {
  /** Asks, answers with the button, and answers the milliseconds from the decision's commit to the first byte of output. */
  decide(): Promise<number>;
  /** Of all so far: until the sandbox was asked, and from there on. */
  parts(): { readonly gateway: readonly number[]; readonly sandbox: readonly number[] };
}

export async function openDecisionBed(stack: AsyncDisposableStack, docker: Docker): Promise<DecisionBed> {
  const home = mkdtempSync(join(tmpdir(), "kurisu-bench-"));
  stack.defer(() => rmSync(home, { recursive: true, force: true }));
  const { sandbox } = createTestSandbox({ docker });
  stack.defer(() => sandbox.stop());
  await sandbox.status();
  let [committed, asked] = [0, 0];
  let heard = Promise.withResolvers<number>();
  const stamped: Sandbox = {
    ...sandbox,
    run(command) {
      asked = performance.now();
      return sandbox.run({ ...command, onOutput: () => heard.resolve(performance.now()) });
    },
  };
  const shell = createShellTool({ sandbox: stamped, workspace: createWorkspace({ root: join(home, "workspaces") }) });
  let ready: Promise<void> = Promise.resolve();
  const tool = {
    ...shell,
    // The first thing that happens after the commit of a question, and of a yes.
    prepare(...given: Parameters<NonNullable<typeof shell.prepare>>) {
      committed = performance.now();
      ready = shell.prepare?.(...given) ?? Promise.resolve();
      return ready;
    },
  };
  const kurisu = new TestGateway({ place: { home }, tools: [tool as Tool] });
  kurisu.rules.current = rules;
  kurisu.model.script = ({ results }) =>
    results.length === 0 ? { calls: [{ name: "shell", arguments: { command: "echo hi" } }] } : { text: "好了。" };
  await kurisu.start();
  stack.defer(() => kurisu.dispose());
  const parts = { gateway: [] as number[], sandbox: [] as number[] };

  return {
    async decide() {
      await kurisu.say("跑一下 echo hi");
      // The person reads.
      await ready;
      heard = Promise.withResolvers();
      await kurisu.channel.deliver(pressOf(kurisu.lastPrompt(), "approve"));
      // Nothing looks into the store meanwhile, as the test gateway does while it waits for calm.
      const first = await heard.promise;
      parts.gateway.push(asked - committed);
      parts.sandbox.push(first - asked);
      await kurisu.settle();
      return first - committed;
    },
    parts: () => parts,
  };
}
