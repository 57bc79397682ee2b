import { createLiveConfiguration, type LiveConfiguration } from "../../../src/config/live-configuration.ts";
import { loadConfiguration } from "../../../src/config.ts";
import { createScrubber } from "../../../src/core/scrub-secrets.ts";
import type { ConfigFolder } from "../config-folder.ts";
import { untilTestEnds } from "../keep-until.ts";

/** The live configuration of a folder, which is removed with the test. */
export function followConfig(
  folder: ConfigFolder,
  environment: Readonly<Record<string, string>> = {},
): LiveConfiguration & { readonly scrub: (text: string) => string } {
  const first = folder.load(environment);
  const live = createLiveConfiguration(first, {
    load: (previous, replaced) => loadConfiguration({ environment, workingDirectory: folder.path, previous, replaced }),
    also: [],
    files: [],
  });
  const ending = new AbortController();
  live.follow({
    onChange: () => undefined,
    onFault: () => undefined,
    onUnwatched: (problem) => void Promise.reject(new Error(problem)),
    signal: ending.signal,
  });
  untilTestEnds(async () => {
    ending.abort();
    folder.remove();
  });
  return { ...live, scrub: createScrubber(first.secrets) };
}
