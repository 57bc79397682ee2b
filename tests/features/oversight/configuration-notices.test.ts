import { afterEach, beforeEach, expect, it } from "vitest";
import { createLog } from "../../../src/core/log.ts";
import { createKnownSecrets } from "../../../src/core/known-secrets.ts";
import {
  type ConfigurationNotices,
  createConfigurationNotices,
} from "../../../src/features/oversight/configuration-notices.ts";
import { TestGateway } from "../../support/gateway.ts";

let kurisu: TestGateway;
/** The notices of five processes that have the same configuration, each in its own folder. */
let notices: readonly ConfigurationNotices[];
/** Calls of tellOwners that have not ended. */
const telling = new Set<Promise<unknown>>();

beforeEach(async () => {
  kurisu = new TestGateway();
  await kurisu.start();
  await kurisu.say("在吗");
  notices = [1, 2, 3, 4, 5].map((process) =>
    createConfigurationNotices({
      folder: `/srv/${process}/config`,
      tellOwners(...given) {
        const told = kurisu.tellOwners(...given);
        telling.add(told);
        return told;
      },
      clock: kurisu.clock,
      log: createLog({ level: "silent", secrets: createKnownSecrets([]) }),
    }),
  );
});
afterEach(() => kurisu.dispose());

/** Lets the processes notice a change one after the other, and returns what the owner is told. */
async function listTold(notice: (one: ConfigurationNotices, folder: string) => void): Promise<readonly string[]> {
  const before = kurisu.channel.sent.length;
  for (const [index, one] of notices.entries()) {
    notice(one, `/srv/${index + 1}/config`);
    await Promise.all(telling);
    await kurisu.settle();
  }
  return kurisu.channel.sent.slice(before).map(({ text }) => text);
}

const breakIt = () => listTold((one, folder) => one.faulty(`${folder}/system/tools.yaml:3:1 rules: is no list`));
const mendIt = () => listTold((one) => one.good());

it("several processes tell the owners of a fault once, and once that it is mended", async () => {
  expect(await breakIt()).toEqual([expect.stringContaining("system/tools.yaml:3:1 rules: is no list")]);
  expect(await mendIt()).toEqual([expect.stringContaining("没问题")]);
  expect(await listTold((one) => one.waiting([".env: KURISU_MODEL"]))).toHaveLength(1);
  expect(await listTold((one) => one.kept(["mcp.json: notes"]))).toHaveLength(1);
});

it.each([
  ["at once", 0],
  ["an hour later", 3_600_000],
])("a fault that comes back %s is told again, and so is its end", async (_, later) => {
  await breakIt();
  await mendIt();
  kurisu.clock.advance(later);
  expect(await breakIt()).toHaveLength(1);
  expect(await mendIt()).toHaveLength(1);
});
