import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import { api } from "../../../src/channels/api/api.ts";
import { ConfigFolder } from "../../support/config-folder.ts";

const token = "0123456789abcdef";
const load = (channels: string, environment: Readonly<Record<string, string>> = { KURISU_API_TOKEN: token }) => {
  folder.write("config/system/channels.yaml", channels);
  return folder.load(environment);
};

let folder: ConfigFolder;
beforeEach(() => {
  folder = new ConfigFolder();
});
afterEach(() => folder.remove());

it("a token turns the API on, for every user that clients name", () => {
  expect(load("").channels["api"]).toMatchObject({ token, allow: ["*"], model: "kurisu", answerWithin: 300_000 });
  expect(load("", {}).channels["api"]).toBeUndefined();
  expect(load("api: { enabled: false }").channels["api"]).toBeUndefined();
});

it("takes no token that could be guessed", () => {
  expect(() => load("", { KURISU_API_TOKEN: token.slice(1) })).toThrow(/KURISU_API_TOKEN: must have 16 characters/);
});

it("names the hosts under which it is reached, and owners of its own", () => {
  const { http, owners } = load("api: { hosts: ['Host.Docker.Internal:10485'] }", {
    KURISU_API_TOKEN: token,
    KURISU_OWNERS: "api:okabe",
  });
  expect(http.publicNames).toEqual([
    { host: "Host.Docker.Internal:10485", routes: ["/v1/", "/chat/completions", "/models"] },
  ]);
  expect(owners).toEqual([{ platform: "api", user: "okabe" }]);
});

it.each([
  ["", /every user that they name/],
  ["api: { allow: [okabe, daru], model: amadeus }", /the model amadeus; clients with the token speak for 2 users/],
])("tells the doctor for whom it speaks: %s", async (channels, detail) => {
  const settings = load(channels).channels["api"];
  if (!settings) throw new Error("it is off");
  const probe = await api.doctor(settings, pino({ level: "silent" }));
  expect(probe).toEqual({ state: "ok", detail: expect.stringMatching(detail) as string });
});
