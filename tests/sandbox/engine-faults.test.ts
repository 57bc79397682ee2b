// quick: reads and writes no container
import { describe, expect, it } from "vitest";
import { describeEngineFault } from "../../src/sandbox/engine-faults.ts";

const names = { address: "/run/engine.sock", image: "kurisu-sandbox:latest" };

function failWith(message: string, fields: object): Error {
  return Object.assign(new Error(message), fields);
}

describe("faults of the engine", () => {
  const rows: [string, Error, string | undefined, RegExp][] = [
    ["no socket", failWith("connect ENOENT", { code: "ENOENT" }), "engine-missing", /Start Docker/],
    ["nobody listens", failWith("connect ECONNREFUSED", { code: "ECONNREFUSED" }), "engine-missing", /DOCKER_HOST/],
    ["broken off", failWith("socket hang up", { code: "ECONNRESET" }), "engine-missing", /Start Docker/],
    ["not allowed", failWith("connect EACCES", { code: "EACCES" }), "no-permission", /group docker/],
    ["hangs", failWith("aborted", { name: "TimeoutError" }), "engine-missing", /hangs/],
    [
      "no image",
      failWith("no such container - No such image: x", { statusCode: 404 }),
      "image-missing",
      /npm run sandbox:image/,
    ],
    ["removed", failWith("No such container: 12ab", { statusCode: 404 }), undefined, /again/],
    ["mount", failWith("bind source path does not exist: /data", { statusCode: 400 }), undefined, /same path/],
    ["seccomp", failWith("Decoding seccomp profile failed", { statusCode: 500 }), undefined, /without it/],
    ["runtime", failWith("unknown or invalid runtime name: runsc", { statusCode: 400 }), undefined, /sandbox\.yaml/],
    ["no bash", failWith("OCI runtime create failed: exec: bash", { statusCode: 400 }), undefined, /bash/],
    ["guard", failWith("engine-guard: refused, Image is not x", { statusCode: 403 }), "no-permission", /sandbox\.yaml/],
    ["engine behind the guard", failWith("engine-guard: no", { statusCode: 502 }), "engine-missing", /Start Docker/],
    ["else", failWith("no space left on device", { statusCode: 500 }), undefined, /log/],
  ];

  it.each(rows)("%s: says what is wrong and what to do", (_, error, state, remedy) => {
    const fault = describeEngineFault(error, names);
    expect(fault.state).toBe(state);
    expect(fault.remedy).toMatch(remedy);
    expect(fault.reason).toMatch(/^[A-Z].*\.$/s);
  });
});
