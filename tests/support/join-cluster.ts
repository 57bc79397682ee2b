import { randomUUID } from "node:crypto";
import { type Cluster, type NodeRole, openCluster } from "../../src/store/engines/open-cluster.ts";
import type { Store, StorePlace } from "../../src/store/open-store.ts";

/** Nothing where the process has the database alone. */
export async function joinCluster(
  { url }: StorePlace,
  { main }: Store,
  role: NodeRole | undefined,
): Promise<Cluster | undefined> {
  if (url === undefined || role === undefined) return undefined;
  return openCluster({ url, db: main, node: randomUUID(), role, isAlone: false, onTrouble: () => undefined });
}
