import { describeError } from "../core/errors.ts";
import type { Egress, EgressGrant } from "./egress/open-egress.ts";
import type { SeenImage } from "./engine-view.ts";
import type { SandboxCommand, SandboxOutcome } from "./types.ts";

type ConnectedCommand = SandboxCommand & { readonly network: readonly string[] };

/**
 * One command that may reach hosts. It gets a container of its own: a socket that is mounted stays mounted, so a
 * container that was given one could never go back to having none.
 */
export async function runConnected(parts: {
  readonly command: ConnectedCommand;
  readonly run: string;
  /** Absent = switched off. */
  readonly egress: Egress | undefined;
  readonly image: SeenImage | undefined;
  /** Runs it in a container with the proxy's folder. */
  readonly runWith: (folder: string) => Promise<SandboxOutcome>;
}): Promise<SandboxOutcome> {
  const { command, egress, image, run, runWith } = parts;
  if (egress === undefined) {
    const remedy = "Set `network: on` in sandbox.yaml, or do it without the network.";
    return { kind: "unavailable", reason: "Commands reach no network here.", remedy, started: false };
  }
  if (image?.hasRelay === false) {
    const reason = "The sandbox image is too old for a command with a network.";
    return { kind: "unavailable", reason, remedy: "Build it again: npm run sandbox:image.", started: false };
  }
  let grant: EgressGrant;
  try {
    grant = await egress.open(run, command.session, command.network);
  } catch (error) {
    const reason = `The folder of the command's network could not be made: ${describeError(error)}.`;
    return { kind: "unavailable", reason, remedy: "Tell the operator; the data folder is at fault.", started: false };
  }
  try {
    const outcome = await runWith(grant.folder);
    return outcome.kind === "finished" ? { ...outcome, network: grant.report() } : outcome;
  } finally {
    await grant.close();
  }
}
