import { expect, it } from "vitest";
import { createKnownSecrets } from "../../src/core/known-secrets.ts";

it("keeps what a changed configuration brings, however many tokens come after it", () => {
  const secrets = createKnownSecrets(["first-secret"]);
  secrets.keep(["second-secret"]);
  secrets.add(Array.from({ length: 300 }, (_, index) => `token-number-${index}`));
  secrets.keep(["third-secret"]);
  expect(secrets.scrub("first-secret second-secret third-secret token-number-299")).not.toMatch(
    /first|second|third|token/,
  );
  expect(secrets.scrub("token-number-0.")).toContain("token-number-0");
});

it("holds back the end of a text that may become a secret, and nothing else", () => {
  const { holdBack, add, keep } = createKnownSecrets(["correct horse battery", "a b c d e f", "short", "sécret\nkey"]);
  const held: Record<string, string> = {
    "say corr": "say ",
    "say correct": "say ",
    "say correct horse": "say ",
    "say correct horse battery": "say correct horse battery",
    "say cor": "say cor",
    "incorrect hor": "in",
    "plan a": "plan ",
    banana: "banana",
    "x sécret\n": "x ",
    shor: "shor",
    "": "",
  };
  for (const [text, rest] of Object.entries(held)) expect([text, holdBack(text)]).toEqual([text, rest]);
  expect(holdBack(`url ${encodeURIComponent("correct horse battery").slice(0, 12)}`)).toBe("url ");
  add(["token-of-later"]);
  keep(["another-secret"]);
  expect([holdBack("x token-of"), holdBack("x another-")]).toEqual(["x ", "x "]);
});
