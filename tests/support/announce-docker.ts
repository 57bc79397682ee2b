import Docker from "dockerode";
import type { TestProject } from "vitest/node";
import { createTestSandbox } from "./test-sandbox.ts";
import { tellLeftOutOfRun } from "./left-out.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Empty when the tests with containers can run, else why they cannot. */
    dockerMissing: string;
  }
}

/** Looks for the engine once for the whole run: one loud line where it is missing, a failure where it must not be. */
export async function setup(project: TestProject): Promise<void> {
  const status = await createTestSandbox({ docker: new Docker() }).sandbox.status();
  const missing = status.state === "ready" ? "" : `${status.detail} ${status.remedy}`;
  project.provide("dockerMissing", missing);
  if (missing === "") return;
  if (process.env.KURISU_REQUIRE_DOCKER === "1") throw new Error(`Tests with containers cannot run: ${missing}`);
  tellLeftOutOfRun(project, "tests with containers", missing);
}
