const gate = "tests/policy";
const approvals = "tests/gateway";

/**
 * What decides whether something may happen, and what a yes is bound to: a fault in it that no test notices is a hole.
 * Beside each file the tests that are run on its faults, none of which needs a process, engine or database of its own.
 */
export const trustCore: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  /** What a call needs, and whose yes. */
  gate: {
    "src/policy/permission.ts": [
      "tests/policy/permission.test.ts",
      "tests/policy/resting-grant.test.ts",
      "tests/tools/override-tool.test.ts",
      "tests/policy/version-of-rules.test.ts",
      `${gate}/authorisation-matrix.test.ts`,
      `${gate}/rules.test.ts`,
    ],
    "src/policy/assess-call.ts": [`${gate}/assess-call.test.ts`, `${gate}/resting-grant.test.ts`],
    "src/policy/permission-checker.ts": [`${gate}/assess-call.test.ts`],
    "src/policy/resolve-current-role.ts": [`${gate}/resolve-current-role.test.ts`],
    "src/policy/session-mode.ts": [`${gate}/session-mode.test.ts`],
    "src/policy/taint-reason.ts": ["tests/policy/taint-reason.test.ts"],
    "src/policy/grant-scope.ts": ["tests/policy/grant-scope.test.ts"],
    "src/policy/approval-terms.ts": [
      "tests/policy/grant-scope.test.ts",
      `${gate}/terms.test.ts`,
      `${gate}/rules.test.ts`,
    ],
    "src/policy/network-grant.ts": ["tests/policy/grant-scope.test.ts"],
    "src/policy/may-decide.ts": [`${gate}/may-decide.test.ts`],
    "src/tools/sealed-tool.ts": [`${gate}/sealed-tool.test.ts`],
    "src/policy/always-asks.ts": [`${gate}/always-asks.test.ts`],
    "src/policy/find-rule-match.ts": [`${gate}/rules.test.ts`],
    "src/policy/match-pattern.ts": [`${gate}/fits.test.ts`],
    "src/policy/match-rule.ts": [`${gate}/fits.test.ts`],
    "src/policy/rule.ts": [`${gate}/fits.test.ts`],
    "src/policy/test-argument.ts": [`${gate}/fits.test.ts`],
    "src/core/named-addresses.ts": ["tests/core/named-addresses.test.ts"],
  },
  /** What counts as a yes. */
  grammar: {
    "src/gateway/approvals/approval-words.ts": [`${approvals}/approval-words.test.ts`],
    "src/gateway/approvals/read-tail.ts": [`${approvals}/approval-words.test.ts`],
    "src/gateway/approvals/read-change.ts": [`${approvals}/read-change.test.ts`],
  },
  /** What the yes is for. */
  binding: {
    "src/core/canonical-json.ts": ["tests/core/canonical-json.test.ts"],
    "src/policy/call-hash.ts": ["tests/policy/call-hash.test.ts"],
    "src/gateway/approvals/bind-answer.ts": [`${approvals}/bind-answer.test.ts`],
    "src/gateway/approvals/bind-change.ts": [`${approvals}/bind-change.test.ts`],
    "src/gateway/approvals/change-call.ts": [`${approvals}/change-call.test.ts`],
  },
  /** Which file a path means. */
  path: {
    "src/workspace/parse-workspace-path.ts": ["tests/workspace/parse-workspace-path.test.ts"],
    "src/workspace/open-folder.ts": ["tests/workspace/open-folder.test.ts"],
  },
  /** Where a request may go. */
  fetch: {
    "src/web/check-url.ts": ["tests/web/check-url.test.ts"],
    "src/web/check-address.ts": ["tests/web/check-url.test.ts"],
    "src/web/guarded-lookup.ts": ["tests/web/check-url.test.ts"],
    "src/web/guarded-dial.ts": ["tests/web/guarded-dial.test.ts", "tests/web/outbound-proxy.test.ts"],
    "src/web/guarded-fetch.ts": ["tests/web/guarded-fetch.test.ts"],
  },
};
