import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { systemClock } from "../../src/core/clock.ts";
import { readBothAnchorFiles } from "../../src/store/audit-anchor.ts";
import { createAuditAnchors } from "../../src/store/keep-audit-anchor.ts";
import { appendAudit, readAudit } from "../../src/store/queries/audit.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { createTestStore } from "../support/test-store.ts";

it("a second anchor file that was removed is missed, made anew, and named in the audit", async () => {
  const store = await createTestStore();
  const folder = await createTemporaryFolder();
  const elsewhere = join(folder, "elsewhere", "anchor");
  mkdirSync(join(folder, "elsewhere"));
  const log = { error: () => undefined };
  const files = () => [join(folder, "audit-anchor"), elsewhere];
  const anchors = createAuditAnchors({ store, files, clock: systemClock, log });
  const actions = async () => (await readAudit(store.main, 10)).map(({ action }) => action);
  await appendAudit(store.main, { actor: "fake:1", action: "tool.done", detail: {}, now: 1 });
  await anchors.write();
  expect(readBothAnchorFiles(folder, elsewhere)).toMatchObject({ anchors: [{}, {}], missing: undefined });
  expect(await actions()).toEqual(["tool.done"]);

  rmSync(elsewhere);
  expect(readBothAnchorFiles(folder, elsewhere).missing).toBe(elsewhere);
  await anchors.write();
  expect((await actions()).toSorted()).toEqual(["audit.anchor-missing", "tool.done"]);
  expect(readFileSync(elsewhere, "utf8")).toMatch(/^\{"at":.*"position":2/);
});
