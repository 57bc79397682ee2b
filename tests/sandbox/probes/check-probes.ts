import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox, SandboxOutcome } from "../../../src/sandbox/types.ts";
import type { Workspace } from "../../../src/workspace/types.ts";
import { compareOutcome } from "./compare-outcome.ts";
import { joinCommands, splitOutcome } from "./share-container.ts";
import type { Fault, Place, Probe, ProbeFinding, Witness } from "./types.ts";

export interface ProbeCheck {
  /** Made with `probeLimits`. */
  readonly sandbox: Pick<Sandbox, "run">;
  readonly workspace: Workspace;
  /** Default: a session of its own for each probe. A shared one shows what a probe leaves to the next. */
  readonly nameSession?: (probe: Probe) => string;
}

/** Runs the probes that fit this machine's processor, one after the other, those that only look first; one finding each. */
export async function checkProbes(probes: readonly Probe[], check: ProbeCheck): Promise<ProbeFinding[]> {
  const fitting = probes.filter(({ processor }) => processor === undefined || processor === process.arch);
  const findings = await checkTogether(
    fitting.filter(({ looksOnly }) => looksOnly === true),
    check,
  );
  for (const probe of fitting.filter(({ looksOnly }) => looksOnly !== true)) {
    findings.push({ probe, faults: await checkAlone(probe, check) });
  }
  return findings;
}

async function checkTogether(probes: readonly Probe[], check: ProbeCheck): Promise<ProbeFinding[]> {
  const [first] = probes;
  if (first === undefined) return [];
  const place = await makePlace(first, check);
  const outcome = await run(check, place, first, joinCommands(probes.map(({ command }) => command)), 180_000);
  const outcomes = splitOutcome(outcome, probes.length);
  return probes.map((probe, index) => ({
    probe,
    faults: compareOutcome(outcomes[index] ?? outcome, probe.expected),
  }));
}

async function checkAlone(probe: Probe, check: ProbeCheck): Promise<string[]> {
  const place = await makePlace(probe, check);
  const witness = (await probe.prepare?.(place)) ?? {};
  try {
    return await ask(probe, place, witness, check);
  } finally {
    await witness.close?.();
  }
}

async function ask(probe: Probe, place: Place, witness: Witness, check: ProbeCheck): Promise<string[]> {
  const running = run(check, place, probe, probe.command);
  const beside = await witness.beside?.(place, running);
  const outcome = await running;
  const faults: Fault[] = [beside, ...compareOutcome(outcome, probe.expected)];
  if (probe.next !== undefined) {
    faults.push(...compareOutcome(await run(check, place, probe, probe.next.command), probe.next.expected));
  }
  faults.push(await witness.after?.(place, outcome));
  return faults.filter((fault) => fault !== undefined);
}

/** The session's folder, emptied of what an earlier probe of the same session left. */
async function makePlace(probe: Probe, check: ProbeCheck): Promise<Place> {
  const session = check.nameSession?.(probe) ?? `probe ${probe.name}`;
  const folder = await check.workspace.folderFor(session);
  await Promise.all((await readdir(folder)).map((name) => rm(join(folder, name), { recursive: true, force: true })));
  return { workspace: check.workspace, session, folder };
}

function run(
  check: ProbeCheck,
  place: Place,
  probe: Probe,
  command: string,
  timeoutMs = probe.timeoutMs ?? 20_000,
): Promise<SandboxOutcome> {
  return check.sandbox.run({
    command,
    timeoutMs,
    cwd: probe.cwd ?? ".",
    workspace: place.folder,
    session: place.session,
    signal: new AbortController().signal,
    ...(probe.environment === undefined ? {} : { environment: probe.environment }),
  });
}
