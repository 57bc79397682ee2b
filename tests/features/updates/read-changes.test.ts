import { describe, expect, it } from "vitest";
import { listChanges } from "../../../src/features/updates/read-changes.ts";

const changelog = `# Changelog

## [Unreleased]

### Changed

- Not out yet.

## [0.3.0] - 2027-03-01

### Added

- A thing.

### Changed

- The timeout is shorter
  than before ([tools](docs/tools.md)).

## [0.2.0] - 2027-02-01

### Removed

- The old key.

### Security

- A hole is closed.

## 0.1.0

### Added

- Everything.
`;

const oldKey = "Removed: The old key.";
const timeout = "Changed: The timeout is shorter than before (tools).";
const hole = "Security: A hole is closed.";

describe("listChanges", () => {
  it.each([
    ["one step", "0.2.0", "0.3.0", { urgent: [timeout], others: 1 }],
    ["two steps, what is urgent first", "0.1.0", "0.3.0", { urgent: [hole, oldKey, timeout], others: 1 }],
    ["a version that the changelog lacks", "0.0.9", "0.2.0", { urgent: [hole, oldKey], others: 1 }],
    ["a step back", "0.3.0", "0.2.0", { urgent: [], others: 0 }],
    ["a version without a part", "0.2.0", "0.4.0", { urgent: [], others: 0 }],
  ] as const)("lists the changes of %s", (_, from, to, changes) => {
    expect(listChanges(changelog, from, to)).toEqual(changes);
  });

  it("lists nothing after a step back to a version that knows nothing of the later one", () => {
    const earlier = changelog.slice(changelog.indexOf("## [0.2.0]"));
    expect(listChanges(earlier, "0.3.0", "0.2.0")).toEqual({ urgent: [], others: 0 });
    expect(listChanges(earlier, "0.10.0", "0.2.0")).toEqual({ urgent: [], others: 0 });
  });

  it("lists nothing from an empty text", () => {
    expect(listChanges("", "0.1.0", "0.2.0")).toEqual({ urgent: [], others: 0 });
  });
});
