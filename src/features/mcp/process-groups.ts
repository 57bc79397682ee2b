import { signalGroup, type ProcessGroups } from "./connection/start-process.ts";

/** The servers' processes; a process that ends without a stop takes them with it. */
export function createProcessGroups(): ProcessGroups & { end(): void } {
  const leaders = new Set<number>();
  const killAll = (): void => {
    for (const leader of leaders) signalGroup(leader, "SIGKILL");
  };
  return {
    add(leader) {
      // Listens to the process only once the first server is started.
      if (!process.listeners("exit").includes(killAll)) process.on("exit", killAll);
      leaders.add(leader);
    },
    delete: (leader) => void leaders.delete(leader),
    end() {
      killAll();
      process.off("exit", killAll);
    },
  };
}
