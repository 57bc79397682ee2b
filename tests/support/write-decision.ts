import type { Store } from "../../src/store/open-store.ts";
import { saveDecisions, type CallDecision } from "../../src/store/queries/decisions.ts";
import { hashCall } from "../../src/kernel/gate/call-hash.ts";
import type { ToolExecutor } from "../../src/kernel/tools/executor.ts";

/** Writes the verdict on a call of turn t in session s as the judge does before anything of a round runs. */
export async function writeDecision(
  store: Store,
  { call, network = [], policy }: Parameters<ToolExecutor["execute"]>[0],
  { turn = "t", ...changes }: Partial<CallDecision> & { readonly turn?: string } = {},
): Promise<void> {
  const hash = hashCall({ tool: call.name, input: call.arguments, session: "s", policy, network });
  const verdict = call.name === "poke" || network.length > 0 ? "ask" : "allow";
  const decision = {
    call: call.id,
    tool: call.name,
    hash,
    verdict,
    reason: "",
    policy,
    grant: null,
    ...changes,
  } as const;
  await saveDecisions(store.main, turn, [decision], 0);
}
