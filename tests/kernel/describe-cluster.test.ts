import { expect, it } from "vitest";
import { describeCluster } from "../../src/kernel/claims/describe-cluster.ts";
import { silentMs, type ClusterNode } from "../../src/store/queries/nodes.ts";

const now = 1_000_000;
const node = (id: string, role: string, other: Partial<ClusterNode> = {}): ClusterNode => ({
  id,
  role,
  place: id,
  address: "",
  version: "1.0.0",
  policy: "new",
  policySince: 1,
  sessions: 0,
  channels: [],
  startedAt: 0,
  seenAt: now,
  ...other,
});
const gateway = node("gateway", "gateway");

function look(...others: readonly ClusterNode[]) {
  return describeCluster({
    id: "gateway",
    role: "gateway",
    startedAt: 7,
    nodes: [gateway, ...others],
    sessions: 0,
    isAlive: true,
    isOutdated: false,
  });
}

it("a gateway is ready beside a process that answers", () => {
  const state = { state: "ready", since: 7, detail: "gateway, one of 2 processes, 0 conversations here" };
  expect(look(node("a", "worker"))).toEqual(state);
  expect(look(node("a", "all"))).toEqual(state);
});

it("a gateway is degraded without a worker, and says what to do", () => {
  expect(look()).toEqual({
    state: "degraded",
    since: 7,
    detail: "gateway, one of 1 process, 0 conversations here, no process answers: start one with --role worker",
  });
});

it.each([
  ["silent", node("a", "worker", { seenAt: now - silentMs })],
  ["of other rules", node("a", "worker", { policy: "old", policySince: 0 })],
])("a gateway is degraded beside a worker that is %s, and ready again beside another one", (_, worker) => {
  expect(look(worker)).toMatchObject({
    state: "degraded",
    detail: expect.stringContaining("no process answers: each"),
  });
  expect(look(worker, node("b", "worker"))).toMatchObject({ state: "ready" });
});

it("a process that takes no work itself has failed, and only one that reported itself knows the others", () => {
  const facts = { id: "a", role: "worker", startedAt: 7, nodes: [], sessions: 0, isAlive: true, isOutdated: false };
  expect(describeCluster(facts)).toMatchObject({ state: "ready" });
  expect(describeCluster({ ...facts, isOutdated: true })).toMatchObject({ state: "failed" });
});
