import { expect, it, onTestFinished } from "vitest";
import { createTimeTool } from "../../src/kernel/tools/builtin/time.ts";
import type { Tool } from "../../src/kernel/tools/types.ts";
import { insertReminder } from "../../src/features/reminders/queries/reminders.ts";
import { countRoundTrips } from "../support/count-round-trips.ts";
import { countStatements } from "../support/count-statements.ts";
import { TestGateway } from "../support/gateway.ts";
import { createStorePlace, listEngines } from "../support/store-engines.ts";

interface Cost {
  readonly what: string;
  readonly before: (kurisu: TestGateway) => Promise<void>;
  readonly act: (kurisu: TestGateway) => Promise<void>;
  /** SQL calls, BEGIN and COMMIT counted; of them those to the checkpoints. */
  readonly calls: number;
  readonly checkpoints: number;
  readonly commits: number;
  /** Round trips to Postgres, where no rows are kept in memory: other processes may write. */
  readonly trips: number;
  /** The reason for the last rise. */
  readonly why?: string;
}

const group = { chatKind: "group", chat: "g1" } as const;
const say =
  (...texts: readonly string[]) =>
  async (kurisu: TestGateway) => {
    for (const text of texts) await kurisu.say(text);
  };
const sayInGroup = (text: string) => (kurisu: TestGateway) => kurisu.say(text, group);

/**
 * The commonest turns, when each has been there before, at a person's pace. A change that raises a number
 * says why in its row; one that lowers it lowers the number.
 */
const costs: readonly Cost[] = [
  { what: "a hello", before: say("你好"), act: say("今天也辛苦了"), calls: 27, checkpoints: 0, commits: 4, trips: 38 },
  {
    what: "a turn with a tool",
    before: say("几点了"),
    act: say("几点了"),
    calls: 60,
    checkpoints: 12,
    commits: 10,
    trips: 64,
  },
  {
    what: "an approval and its call",
    before: say("poke it", "确认", "poke it"),
    act: say("确认"),
    calls: 70,
    checkpoints: 11,
    commits: 11,
    trips: 74,
  },
  {
    what: "a message in a group",
    before: sayInGroup("你好"),
    act: sayInGroup("今天也辛苦了"),
    calls: 27,
    checkpoints: 0,
    commits: 4,
    trips: 38,
  },
  {
    what: "a reminder",
    before: async (kurisu) => {
      await kurisu.say("你好");
      for (const id of ["rem_1", "rem_2"]) await remind(kurisu, id);
      await kurisu.pass(60_000);
    },
    act: (kurisu) => kurisu.pass(60_000),
    calls: 20,
    checkpoints: 0,
    commits: 3,
    trips: 19,
  },
];

const measured = listEngines().flatMap((engine) => costs.map((cost) => ({ ...cost, engine })));

it.each(measured)("$what on $engine: $calls SQL calls and $commits commits, or $trips round trips", async (cost) => {
  const counts = countStatements();
  const trips = countRoundTrips();
  const kurisu = new TestGateway({
    place: await createStorePlace(cost.engine),
    memory: { extract: { model: true } },
    tools: [createTimeTool({ defaultZone: "Asia/Shanghai" }) as Tool],
  });
  onTestFinished(() => kurisu.dispose());
  const { permissions } = kurisu.rules.current;
  const safe = [...(permissions.safe ?? []), "time"];
  kurisu.rules.current = { ...kurisu.rules.current, permissions: { ...permissions, safe } };
  kurisu.model.script = ({ results, text }) => {
    if (results.length > 0) return { text: "好的，我知道了。" };
    if (text.includes("几点")) return { calls: [{ name: "time", arguments: {} }] };
    return text.includes("poke") ? { calls: [{ name: "poke", arguments: { what: "it" } }] } : { text: "好的。" };
  };
  await kurisu.start();
  await cost.before(kurisu);
  counts.reset();
  trips.reset();
  await cost.act(kurisu);
  const [sent, most] =
    cost.engine === "postgres" ? [trips.texts, cost.trips] : [[...counts.main, ...counts.checkpoints], cost.calls];
  const calls = sent.filter((sql) => !isLookOfTest(sql)).length;
  expect(calls).toBeLessThanOrEqual(most);
  // A row that is too high would let the next rise through.
  expect(calls).toBeGreaterThanOrEqual(most - 2);
  expect(counts.checkpoints.length).toBeLessThanOrEqual(cost.checkpoints);
  expect(counts.commits).toBeLessThanOrEqual(cost.commits);
});

async function remind(kurisu: TestGateway, id: string): Promise<void> {
  const due = kurisu.clock.now() + (id === "rem_1" ? 60_000 : 120_000);
  const [{ id: session } = { id: "" }] = await kurisu.store.main.selectFrom("sessions").select("id").execute();
  await insertReminder(kurisu.store.main, {
    id,
    person: "fake:owner",
    name: "owner",
    session,
    text: "喝水",
    task: false,
    schedule: { kind: "once", at: due },
    zone: "UTC",
    language: "zh",
    taint: "owner",
    sources: [],
    nextDue: due,
    now: kurisu.clock.now(),
  });
}

/** The test itself looks whether everything has come to rest. */
function isLookOfTest(sql: string): boolean {
  return /^select "id" from "inbox" where "state" in|^select "session", "not_before" from "outbox"|next_due/.test(sql);
}
