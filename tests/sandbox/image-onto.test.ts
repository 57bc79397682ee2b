import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { browserImage, browserImageIsThere } from "../support/browser-places.ts";
import { requireDocker } from "../support/docker.ts";
import { createSandboxBench } from "../support/sandbox-bench.ts";

const script = fileURLToPath(new URL("../../scripts/sandbox-image.mjs", import.meta.url));

// The browser's image is one that knows nothing of the runner.
describe.runIf(await browserImageIsThere())("npm run sandbox:image -- --onto IMAGE", () => {
  it("puts the runner onto a foreign image, so that its containers are kept between commands", async () => {
    const image = `kurisu-test-onto-${randomBytes(6).toString("hex")}:latest`;
    execFileSync(process.execPath, [script, "--onto", browserImage, "--tag", image]);
    onTestFinished(() => requireDocker().getImage(image).remove({ force: true }));
    const bench = await createSandboxBench({ image });
    expect(await bench.sandbox.status()).toMatchObject({ state: "ready", keepsContainers: true });
    expect((await bench.run("cat /proc/1/comm; echo kept > file; touch /tmp/lost")).stdout).toBe("kurisu-runner\n");
    const [first] = await bench.containers();
    expect((await bench.run("cat file; ls /tmp; command -v python3")).stdout).toBe("kept\n");
    expect((await bench.containers()).map(({ Id }) => Id)).toEqual([first?.Id]);
  });

  it("asks for a name that is not the sandbox's own", () => {
    const run = () => execFileSync(process.execPath, [script, "--onto", browserImage], { stdio: "pipe" });
    expect(run).toThrow(/add --tag NAME/);
  });
});
