import { features } from "../assembly/features.ts";
import { channelDefinitions } from "../channels/definitions/channel-definitions.ts";
import { modelProviders } from "../models/model-providers.ts";

const own =
  /^(?:KURISU_|SEARXNG_|TAVILY_|BRAVE_|EMBEDDINGS_|OTEL_|DATABASE_URL$|DOCKER_HOST$|LOG_LEVEL$|SSH_AUTH_SOCK$)/i;

/** `TELEGRAM_`, `OPENAI_` …: the prefixes of the variables of channels, features and model providers. */
const ofOthers = [...channelDefinitions, ...features, ...Object.values(modelProviders)]
  .flatMap(({ environment = {} }) => Object.keys(environment))
  .map((name) => `${name.split("_")[0]}_`);

/** Kurisu's own variables. Foreign programs and servers never get them, not even after an approval. */
export function isOwnVariable(name: string): boolean {
  return own.test(name) || ofOthers.some((start) => name.toUpperCase().startsWith(start));
}
