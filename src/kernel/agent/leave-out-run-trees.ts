import { AsyncLocalStorageProviderSingleton as storage } from "@langchain/core/singletons";

/** LangChain reads the configuration of the running node under this key (`getRunnableConfig`). */
const childConfig = Symbol.for("lc:child_config");

/**
 * LangChain hands a node's configuration down inside a LangSmith run tree. It creates one for each call, even without
 * tracing, which cost a twelfth of a turn's processor time. Only the configuration in it is ever read.
 */
export function leaveOutRunTrees(): void {
  storage.runWithConfig = (config, run, avoidCreatingRootRunTree) =>
    storage.getInstance().run(avoidCreatingRootRunTree ? undefined : { extra: { [childConfig]: config } }, run);
}
