import { AsyncLocalStorageProviderSingleton as storage } from "@langchain/core/singletons";

/** LangChain reads the configuration of the running node under this key (`getRunnableConfig`). */
const childConfig = Symbol.for("lc:child_config");

/**
 * LangChain hands a node's configuration down inside a LangSmith run tree. It makes one for each call, even when nothing
 * is traced, which was a twelfth of a turn's processor time. Nobody reads more of it than the configuration.
 */
export function leaveOutRunTrees(): void {
  storage.runWithConfig = (config, run, avoidCreatingRootRunTree) =>
    storage.getInstance().run(avoidCreatingRootRunTree ? undefined : { extra: { [childConfig]: config } }, run);
}
