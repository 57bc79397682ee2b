import { randomBytes } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import { createSemaphore } from "../../src/core/semaphore.ts";
import type { SandboxCommand } from "../../src/sandbox/types.ts";
import { createWorkspace } from "../../src/workspace/create-workspace.ts";
import { dockerIsThere, requireDocker } from "../support/docker.ts";
import { besideOthers, untilTestEnds } from "../support/keep-until.ts";
import { createPlainContainer } from "../support/plain-container.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { createTestSandbox, sandboxImage } from "../support/test-sandbox.ts";
import { checkProbes } from "./probes/check-probes.ts";
import { exhaustionProbes } from "./probes/exhaustion.ts";
import { hostReaderProbes } from "./probes/host-reader.ts";
import { probeAreas } from "./probes/probe-areas.ts";
import { probeLimits } from "./probes/probe-limits.ts";
import type { Probe, ProbeArea, ProbeFinding } from "./probes/types.ts";

/**
 * KURISU_TEST_FULL=1 (`npm run test:full -- --all`) runs every row in both kinds of container and compares every row. Else each
 * row runs in a session's container, every second one of those that share none also in a container of its own, and only rows
 * that must bite are compared.
 */
const full = process.env["KURISU_TEST_FULL"] === "1";

const holds = ({ faults }: ProbeFinding): boolean => faults.length === 0;
const names = (findings: readonly ProbeFinding[]): string[] => findings.map(({ probe }) => probe.name);
const describeFaults = (findings: readonly ProbeFinding[]): string[] =>
  findings.filter((finding) => !holds(finding)).map(({ probe, faults }) => `${probe.name}: ${faults.join("; ")}`);

describe.runIf(dockerIsThere())("attempts to get out of the sandbox or to abuse it", () => {
  const label = `kurisu.plain-probe.${randomBytes(6).toString("hex")}`;
  const table: string[] = [];
  const biting: string[] = [];
  afterAll(() => {
    console.log(
      `area: rows that hold in a container of their own, and in a session's | rows that bite in a plain container\n${table.join("\n")}`,
    );
  });

  /** The rows that run in containers of their own. How the host reads a workspace is no matter of the container. */
  function chooseAlone({ area, probes }: ProbeArea): readonly Probe[] {
    if (full) return probes;
    const sharing = probes.filter(({ looksOnly }) => looksOnly === true);
    const rest = probes.filter(({ looksOnly, gap }) => looksOnly !== true && gap === undefined);
    const gaps = probes.filter(({ looksOnly, gap }) => looksOnly !== true && gap !== undefined);
    return area === hostReaderProbes.area
      ? []
      : [...sharing, ...gaps, ...rest.filter((_row, index) => index % 2 === 0)];
  }

  /** What did not hold, by what it should have been. */
  async function tryArea(whole: ProbeArea): Promise<Record<string, readonly string[]>> {
    const { area, probes } = whole;
    const docker = requireDocker();
    const { sandbox } = createTestSandbox({ docker, limits: probeLimits });
    untilTestEnds(() => sandbox.stop());
    const plain = createPlainContainer({ docker, image: sandboxImage, label });
    const [ours, kept, theirs] = [
      await createTemporaryFolder(),
      await createTemporaryFolder(),
      await createTemporaryFolder(),
    ];
    // Each row in a container of its own, and all of them one after the other in a session's.
    const alone = { run: (command: SandboxCommand) => sandbox.run({ ...command, fresh: true }) };
    // What root made in there, an ordinary user could not remove.
    untilTestEnds(() => plain.empty(theirs));
    const asked = probes.filter((probe) => (full ? probe.plain !== "not asked" : probe.plain === "bites"));
    const [held, heldInSession, compared] = await Promise.all([
      checkProbes(chooseAlone(whole), { sandbox: alone, workspace: createWorkspace({ root: ours }) }),
      checkProbes(probes, { sandbox, workspace: createWorkspace({ root: kept }), nameSession: () => area }),
      checkProbes(asked, { sandbox: plain, workspace: createWorkspace({ root: theirs }) }),
    ]);
    const bites = compared.filter((finding) => !holds(finding));
    biting.push(...names(bites));
    const counts = [held, heldInSession].map((findings) => `${findings.filter(holds).length} of ${findings.length}`);
    table.push(`${area}: ${counts.join(", ")} | ${bites.length} of ${compared.length}`);
    table.push(...names(bites).map((name) => `    ${name}`));
    const [gaps, walls] = [held.filter(({ probe }) => probe.gap), held.filter(({ probe }) => !probe.gap)];

    return {
      alone: describeFaults(walls),
      session: describeFaults(heldInSession.filter(({ probe }) => !probe.gap)),
      "mended: take the row's `gap` away": names(gaps.filter(holds)),
      same: describeFaults(compared.filter(({ probe }) => probe.plain === "same")),
      "bites nobody": names(compared.filter((one) => one.probe.plain === "bites" && holds(one))),
    };
  }
  const nothing = { alone: [], session: [], "mended: take the row's `gap` away": [], same: [], "bites nobody": [] };

  const isLoud = ({ area }: ProbeArea): boolean => area === exhaustionProbes.area;
  // It measures the processor, so it has the machine for itself as far as this file goes.
  it.for(probeAreas.filter(isLoud))(
    "$area",
    besideOthers(async ({ expect }, area: ProbeArea) => expect(await tryArea(area)).toEqual(nothing)),
  );

  const places = createSemaphore(3);
  describe.concurrent("beside each other", () => {
    it.for(probeAreas.filter((area) => !isLoud(area)))(
      "$area",
      besideOthers(async ({ expect }, area: ProbeArea) => {
        const release = await places.acquire(new AbortController().signal);
        try {
          expect(await tryArea(area)).toEqual(nothing);
        } finally {
          release?.();
        }
      }),
    );
  });

  it("most of what is written for the hardening bites where there is none", () => {
    expect(probeAreas.flatMap(({ probes }) => probes).length).toBeGreaterThanOrEqual(150);
    expect(biting.length).toBeGreaterThanOrEqual(45);
  });
});
