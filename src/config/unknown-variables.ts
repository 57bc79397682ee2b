import { findNearest } from "../core/find-nearest.ts";
import { readEnvFile } from "./env-file.ts";
import { environmentNames, type Environment } from "./environment.ts";

/** Variables that docker-compose.yml fills in, and the image of napcat reads; .env.example names them. */
export const composeVariables: readonly string[] = [
  "ENGINE_SOCKET",
  "KURISU_BASE_IMAGE",
  "KURISU_DATA",
  "KURISU_GID",
  "KURISU_MEMORY",
  "KURISU_ROLE",
  "KURISU_UID",
  "NAPCAT_IMAGE",
  "NAPCAT_WEBUI_TOKEN",
  "POSTGRES_PASSWORD",
  "QQ_ACCOUNT",
];

/** Our own scripts and tests set these. */
const internal = /^KURISU_(?:OPERATOR_PATH$|CONSOLE_PICTURES$|TEST_|REQUIRE_)/;
/** A container gets the whole .env, and so do Docker Compose and Node. */
const ofOthers = /^(?:COMPOSE_|DOCKER_|NODE_|PWD$|HOSTNAME$)/;

interface Places {
  readonly envFile: string;
  /** The variables of the process. */
  readonly own: Environment;
  /** The texts that may refer to a variable as `${NAME}`. */
  readonly texts: readonly string[];
  /** Names that skills require. */
  readonly required: readonly string[];
  /** Whether a variable goes to every program that Kurisu starts. */
  readonly isInherited: (name: string) => boolean;
  readonly readsEnvFile: boolean;
}

/** The variables that have an effect, those that have none, and the sentences about the latter. No value is in them. */
export function findUnknownVariables({ envFile, isInherited, own, texts, required, readsEnvFile }: Places) {
  const referred = texts.flatMap((text) => [...text.matchAll(/\$\{([A-Za-z_]\w*)/g)].map(([, name = ""]) => name));
  const known = new Set([...environmentNames, ...composeVariables, ...referred, ...required]);
  const isKnown = (name: string): boolean =>
    known.has(name) || internal.test(name) || ofOthers.test(name) || isInherited(name);
  const describe = (name: string, place: string): string => {
    const nearest = findNearest(name, [...known]);
    return `${name} of ${place} is not a known variable${nearest === undefined ? " and has no effect" : `; did you mean ${nearest}?`}`;
  };
  const list = (variables: Environment) => Object.keys(variables).filter((name) => !isKnown(name));
  const ofProcess = list(own).filter((name) => name.startsWith("KURISU_"));
  const ofFile = readsEnvFile ? list(readEnvFile(envFile)) : [];
  const sentences = [
    ...ofFile.map((name) => describe(name, ".env")),
    ...ofProcess.filter((name) => !ofFile.includes(name)).map((name) => describe(name, "the environment")),
  ];
  return { isKnown, sentences };
}
