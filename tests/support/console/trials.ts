import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ConsoleParts } from "../../../src/console/create-console.ts";
import { parseCard } from "../../../src/core/persona/cards/character-card.ts";
import { writeCard } from "../../../src/core/persona/cards/write-card.ts";
import { loadPersona, type PersonaDrafts } from "../../../src/core/persona/load-persona.ts";
import type { TestGateway } from "../gateway.ts";
import { createTemporaryFolder } from "../temporary-folder.ts";
import { startConsoleBeside } from "./console-beside.ts";

const shipped = join(import.meta.dirname, "../../../config/personas");

export const miraBook = {
  entries: [
    { keys: ["lamp"], content: "The lamp is broken.", insertion_order: 5 },
    { keys: [], constant: true, content: "It always rains.", insertion_order: 1 },
    { keys: ["gull"], content: "She counts gulls.", enabled: false },
    { keys: ["boat"], content: "The boat left.", probability: 0 },
  ],
};

/** A V2 card as others share them; `more` = further fields. */
export const miraCard = (more: object = {}) => ({
  spec: "chara_card_v2",
  spec_version: "2.0",
  data: {
    name: "Mira",
    description: "{{char}} keeps the lighthouse and counts every gull twice.",
    personality: "dry",
    scenario: "",
    first_mes: "You are late, {{user}}.",
    mes_example: "",
    system_prompt: "Answer in rhymes.",
    post_history_instructions: "Stay short.",
    alternate_greetings: ["Fog again."],
    character_book: miraBook,
    extensions: { kept: [1] },
    ...more,
  },
});

/** The card in a picture, as it is dropped on the page. */
export function packPng(json: object): Buffer {
  const parsed = parseCard(json);
  if (parsed.kind === "refused") throw new Error(parsed.problem);
  return writeCard(parsed.card, { format: "png", version: 2, picture: undefined, assets: new Map() });
}

/** The console beside a gateway that runs, with a folder for own personas. */
export async function beginTrials(
  kurisu: TestGateway,
  {
    environment = {},
    ...given
  }: Partial<Pick<ConsoleParts, "budget" | "page">> & { readonly environment?: Readonly<Record<string, string>> } = {},
) {
  await kurisu.start();
  const own = join(await createTemporaryFolder(), "personas");
  const folders = () => ({ own, shipped });
  const { trials } = kurisu.assembled.owner;
  let reloads = 0;
  const reload = () => void (reloads += 1);
  const readPersona = (folder: string, drafts?: PersonaDrafts) => loadPersona(folder, environment, drafts);
  const server = await startConsoleBeside(kurisu, {
    trials: {
      ...trials,
      folders,
      readPersona,
      reload,
    },
    personaSource: {
      now: () => ({ personaFolders: folders(), persona: { id: "default" }, readPersona }),
      check: () => [],
      refusedFiles: () => [],
      reload,
      scrub: trials.scrub,
    },
    ...given,
  });
  const cookie = await server.addLogin("owner");
  const ask = (path: string, body: unknown, type = "application/json") =>
    server.ask({ method: "POST", path: `/api${path}`, headers: { cookie, "content-type": type }, body });
  return {
    own,
    folders: folders(),
    server,
    cookie,
    ask,
    reloads: () => reloads,
    /** The answer to a request that is taken. */
    async read<View>(path: string, body: unknown, type?: string): Promise<View> {
      const { status, text } = await ask(path, body, type);
      if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
      return JSON.parse(text) as View;
    },
    examine: (bytes: Buffer) => ask("/cards/examine", bytes, "application/octet-stream"),
    /** A persona of the operator's with these files; persona.yaml is the shipped one's. */
    addPersona(id: string, files: Readonly<Record<string, string>>) {
      mkdirSync(join(own, id), { recursive: true });
      for (const [name, text] of Object.entries(files)) writeFileSync(join(own, id, name), text);
    },
  };
}
