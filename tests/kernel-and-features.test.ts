import { join } from "node:path";
import { expect, test } from "vitest";
import { features } from "../src/assembly/features.ts";
import { channelDefinitions } from "../src/channels/definitions/channel-definitions.ts";
import { listCommands } from "../src/kernel/commands/command-table.ts";
import { kernelTools } from "../src/kernel/tools/table/kernel-tools.ts";
import { modelProviders } from "../src/models/model-providers.ts";
import {
  featureOf,
  listKernelImportsOfFeatures,
  listUndeclaredNeeds,
  readAllowedImports,
} from "./support/feature-rules.ts";
import { file, readSources } from "./support/source-rules.ts";

/** As many as are left. It only falls. */
const maxAllowed = 10;
const real = readSources(join(import.meta.dirname, ".."), ["src"]);

test("the kernel imports no feature, but for a list that only shrinks", () => {
  expect(listKernelImportsOfFeatures(real)).toEqual(readAllowedImports());
  // Lower it with the list; raise it never.
  expect(readAllowedImports().length).toBeLessThanOrEqual(maxAllowed);
  const bad = [
    file("src/kernel/turns/a.ts", 'import type { Voice } from "../../features/voice/voice.ts";'),
    file("src/core/b.ts", 'import { x } from "../features/voice/words.ts";'),
  ];
  expect(listKernelImportsOfFeatures(bad)).toHaveLength(2);
  expect(listKernelImportsOfFeatures([file("src/cli/c.ts", 'import { x } from "../features/voice/x.ts";')])).toEqual(
    [],
  );
});

test("a feature imports only the features it declares", () => {
  const needs = Object.fromEntries(features.map(({ name, needs = {} }) => [name, Object.keys(needs)]));
  expect(listUndeclaredNeeds(real, needs)).toEqual([]);
  const bad = file("src/features/voice/a.ts", 'import { x } from "../skills/x.ts";');
  expect(listUndeclaredNeeds([bad], {})).toHaveLength(1);
  expect(listUndeclaredNeeds([bad], { voice: ["skills"] })).toEqual([]);
  const folders = new Set(
    real.flatMap(({ path }) => (path.startsWith("src/features/") ? (featureOf(path) ?? []) : [])),
  );
  expect([...folders].toSorted()).toEqual(features.map(({ name }) => name).toSorted());
});

test("no feature takes the command or the tool of another, or one of the kernel's", () => {
  const commands = listCommands(features).flatMap(({ names }) => names);
  const tools = [kernelTools, ...features.flatMap(({ soleTools, tools }) => [tools ?? {}, soleTools ?? {}])].flatMap(
    Object.keys,
  );
  for (const names of [commands, tools]) expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test("no variable belongs to two of the features, channels and model providers", () => {
  const owners = [...features, ...channelDefinitions, ...Object.values(modelProviders)];
  const names = owners.flatMap(({ environment = {} }) => Object.keys(environment));
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});
