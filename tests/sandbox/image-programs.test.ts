import { describe, expect, it } from "vitest";
import { createSandboxBench } from "../support/sandbox-bench.ts";
import { dockerIsThere } from "../support/docker.ts";

describe.runIf(dockerIsThere())("the programs of the sandbox image", () => {
  it("bash, curl, jq, python3 and git work for the session's user, and none of them gives more rights", async () => {
    const bench = await createSandboxBench();
    const script = [
      "set -e",
      "for name in bash curl jq python3 git patch diff; do command -v $name >/dev/null || echo missing $name; done",
      "git init -q paper && cd paper && echo one > notes.txt",
      "git add notes.txt && git commit -q -m 'first words' && echo two >> notes.txt",
      "git log --format='%an %s' && git diff --stat | tail -1",
      "git branch --show-current",
      `python3 -c 'import json, sqlite3, ssl, zipfile; print(json.dumps({"sum": sum(range(10))}))'`,
      "git clone -q . ../copy && ls ../copy",
      "find / -xdev -type f -perm /6000 2>/dev/null | wc -l",
    ].join("\n");
    const outcome = await bench.run(script);
    expect(outcome.stderr).toBe("");
    expect(outcome.stdout.trim().split("\n")).toEqual([
      "Kurisu first words",
      " 1 file changed, 1 insertion(+)",
      "main",
      '{"sum": 45}',
      "notes.txt",
      "0",
    ]);
    const later = await bench.run(
      "cd paper && git status --short && git clone -q https://example.org/x.git 2>&1 | tail -1",
    );
    expect(later.stdout, "a later command sees the same repository, and no host is reached").toMatch(
      /^ M notes\.txt\nfatal: unable to access/,
    );
  });
});
