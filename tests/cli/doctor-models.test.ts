// full: starts the program
import { describe, expect, it } from "vitest";
import type { Finding } from "../../src/kernel/feature/finding.ts";
import { untilTestEnds } from "../support/keep-until.ts";
import { findFreePort } from "../support/kurisu-process/find-free-port.ts";
import { createKurisuFolder, type KurisuFolder } from "../support/kurisu-process/kurisu-folder.ts";
import { modelKey, startScriptedModel } from "../support/kurisu-process/scripted-model.ts";
import { runHere, runOnceHere } from "../support/kurisu-process/run-here.ts";
import { startKurisu } from "../support/kurisu-process/start-kurisu.ts";
import { type RawAnswer, sendEvents, sendStatus, startRawServer } from "../support/models/start-raw-server.ts";
import { openaiDone, openaiFinish, openaiText } from "../support/models/wire-events.ts";

const sayOk = sendEvents(openaiText("OK"), openaiFinish("stop"), openaiDone);
const refuseKey = sendStatus(401, { error: { message: `Incorrect API key provided: ${modelKey}` } });
const missModel = sendStatus(404, { error: { message: "The model `m` does not exist" } });
const sendPage: RawAnswer = (response) => {
  response.writeHead(200, { "content-type": "text/html" });
  response.end("<!doctype html><html><title>Welcome to the panel</title></html>");
};

type Environment = Readonly<Record<string, string>>;

function createFolder(): KurisuFolder {
  return createKurisuFolder({ "system/sandbox.yaml": "enabled: false\n" });
}

/** What the doctor says of models, and with which code it ends; the key may stand nowhere. */
async function examine(environment: Environment, { folder = createFolder(), given = [] as readonly string[] } = {}) {
  const { code, out, error } = await runHere(["doctor", "--json", ...given], { folder, environment });
  expect(out + error).not.toContain(modelKey);
  const findings = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Finding);
  return { code, findings, models: findings.filter(({ check }) => check === "model") };
}

async function serve(...answers: readonly RawAnswer[]) {
  const server = await startRawServer(...answers);
  untilTestEnds(() => server[Symbol.asyncDispose]());
  return server;
}

const askAt = (url: string): Environment => ({
  KURISU_MODEL: "openai:m",
  OPENAI_BASE_URL: `${url}/v1`,
  OPENAI_API_KEY: modelKey,
});

describe("the doctor asks the model one word and says what came", () => {
  it("an answer: how long it took", async () => {
    const server = await serve(sayOk);
    const { code, models } = await examine(askAt(server.url));
    expect(models).toEqual([
      { check: "model", state: "ok", detail: expect.stringMatching(/^openai:m answered in \d+\.\d s$/) },
    ]);
    expect(code).toBe(0);
    expect(server.seen).toHaveLength(1);
    expect(server.seen[0]?.body["tools"]).toBeUndefined();
  });

  it.each([
    {
      what: "a refused key",
      answer: refuseKey,
      said: /^openai:m: the key was refused \(401: Incorrect API key.*\); check OPENAI_API_KEY and OPENAI_BASE_URL$/,
    },
    {
      what: "a model that is not there",
      answer: missModel,
      said: /^openai:m: model not found \(404: The model `m` does not exist\); check the name in KURISU_MODEL$/,
    },
    {
      what: "a web page",
      answer: sendPage,
      said: /^openai:m: .*a web page: Welcome to the panel; check OPENAI_BASE_URL and the network$/,
    },
    {
      what: "a server that fails",
      answer: sendStatus(503, { error: { message: "loading" } }),
      said: /^openai:m: the server failed \(503: loading\); try again later/,
    },
    {
      what: "a request that it does not take",
      answer: sendStatus(400, { error: { message: "the moon is wrong" } }),
      said: /^openai:m: the request was refused \(400: the moon is wrong\): docs\/models\.md$/,
    },
  ])("$what: its words and the remedy", async ({ answer, said }) => {
    const server = await serve(answer);
    const { code, models } = await examine(askAt(server.url));
    expect(models).toEqual([{ check: "model", state: "broken", detail: expect.stringMatching(said) }]);
    expect(code).toBe(1);
  });

  it("the doctor says of an address without a server that it may not be running", async () => {
    const { code, models } = await examine(askAt(`http://127.0.0.1:${await findFreePort()}`));
    expect(models).toEqual([
      {
        check: "model",
        state: "broken",
        detail: expect.stringMatching(/^openai:m: not reached \(.*ECONNREFUSED.*check OPENAI_BASE_URL/),
      },
    ]);
    expect(code).toBe(1);
  });
});

it("the doctor names a former key instead of an intact configuration, and a misspelt variable", async () => {
  const folder = createFolder();
  folder.configure("system/models.yaml", "window:\n  block: 20\n");
  const { findings } = await examine({ KURISU_MODEL: "offline", KURISU_PROT: "1" }, { folder });
  expect(findings.filter(({ check }) => check === "configuration" || check === "environment")).toEqual([
    { check: "configuration", state: "warning", detail: expect.stringContaining(":2 window.block has no effect any") },
    {
      check: "environment",
      state: "warning",
      detail: "KURISU_PROT of the environment is not a known variable; did you mean KURISU_PORT?",
    },
  ]);
});

it("the doctor says that KURISU_MODEL=offline keeps a key unused", async () => {
  const { models } = await examine({ KURISU_MODEL: "offline", OPENAI_API_KEY: modelKey });
  const detail =
    "offline (rule-driven). KURISU_MODEL=offline keeps OPENAI_API_KEY unused. Remove KURISU_MODEL, or name a model in it";
  expect(models).toEqual([{ check: "model", state: "warning", detail }]);
});

it("asks each model of a fallback list, and one that fails behind one that answers is only a warning", async () => {
  const [good, bad] = [await serve(sayOk), await serve(refuseKey)];
  const both = {
    ...askAt(good.url),
    ANTHROPIC_BASE_URL: bad.url,
    ANTHROPIC_API_KEY: modelKey,
    KURISU_MODEL: "openai:m,anthropic:n,offline",
  };
  const covered = await examine(both);
  expect(covered.code).toBe(0);
  expect(covered.models).toMatchObject([
    { state: "ok", detail: expect.stringContaining("openai:m answered") },
    { state: "warning", detail: expect.stringMatching(/^anthropic:n: the key was refused .*ANTHROPIC_API_KEY/) },
    { state: "ok", detail: "offline (rule-driven, built in)" },
  ]);
  const turned = await examine({ ...both, KURISU_MODEL: "anthropic:n,openai:m" });
  expect(turned.code).toBe(1);
  expect(turned.models).toMatchObject([{ state: "broken" }, { state: "ok" }]);
});

it("asks the model of sub-agents too", async () => {
  const server = await serve((response, request) =>
    (request.body["model"] === "tiny" ? missModel : sayOk)(response, request),
  );
  const folder = createFolder();
  folder.configure("system/models.yaml", "models: { small: 'openai:tiny' }\n");
  const { code, models } = await examine(askAt(server.url), { folder });
  expect(code).toBe(0);
  expect(models).toMatchObject([
    { state: "ok" },
    { state: "warning", detail: expect.stringMatching(/^openai:tiny: model not found .*\(models\.small\)$/) },
  ]);
});

it("the doctor asks no model with --no-ask and says that nothing is known", async () => {
  const server = await serve(sayOk);
  const { code, models } = await examine(askAt(server.url), { given: ["--no-ask"] });
  expect(models).toEqual([{ check: "model", state: "warning", detail: "openai:m: not asked (--no-ask)" }]);
  expect(code).toBe(0);
  expect(server.seen).toEqual([]);
});

it("says what a running Kurisu knows of her models, and asks only one that she has not asked yet", async () => {
  const model = await startScriptedModel();
  const folder = createFolder();
  const kurisu = await startKurisu({ folder, environment: model.environment });
  const elsewhere = await examine({ KURISU_MODEL: "offline" }, { folder });
  expect(elsewhere.models).toMatchObject([{ state: "warning", detail: "openai:test: not asked yet (running)" }]);
  expect((await examine(model.environment, { folder, given: ["--no-ask"] })).models).toMatchObject([
    { state: "warning", detail: "openai:test: not asked yet (running)" },
  ]);
  expect(model.requests).toHaveLength(0);
  expect((await examine(model.environment, { folder })).models).toMatchObject([
    { state: "ok", detail: expect.stringContaining("openai:test answered in") },
  ]);
  expect(model.requests).toHaveLength(1);
  expect((await runOnceHere("在吗？", { folder, environment: model.environment })).code).toBe(0);
  const before = model.requests.length;
  expect((await examine(model.environment, { folder })).models).toMatchObject([
    { state: "ok", detail: "openai:test answers (running)" },
  ]);
  expect(model.requests).toHaveLength(before);
  expect((await kurisu.stop()).code).toBe(0);
});

it("says why the model of a running Kurisu fails, in the server's words", async () => {
  const server = await serve(missModel);
  const folder = createFolder();
  const kurisu = await startKurisu({ folder, environment: askAt(server.url) });
  await runOnceHere("在吗？", { folder, environment: askAt(server.url) });
  const before = server.seen.length;
  const { code, models } = await examine(askAt(server.url), { folder });
  expect(code).toBe(1);
  expect(models).toMatchObject([
    { state: "broken", detail: expect.stringMatching(/^openai:m: model not found \(404: .*KURISU_MODEL \(running\)$/) },
  ]);
  expect(server.seen).toHaveLength(before);
  await kurisu.stop();
});
