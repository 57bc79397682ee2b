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
