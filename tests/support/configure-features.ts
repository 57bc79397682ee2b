import { features } from "../../src/assembly/features.ts";

/** The settings of features that have no variables and no files of their own, from these files of config/system. */
export function configureFeatures(files: object): Readonly<Record<string, unknown>> {
  const plain = features.filter(
    ({ environment = {}, readFiles }) => Object.keys(environment).length === 0 && !readFiles,
  );
  return Object.fromEntries(plain.map((feature) => [feature.name, feature.configure?.({}, files, undefined)]));
}
