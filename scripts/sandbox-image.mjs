// npm run sandbox:image [-- --browser | --onto IMAGE] [--from-debootstrap] [--base IMAGE] [--tag NAME] [--rebuild]
// Builds the image that shell commands run in, or the one that Chromium runs in. --from-debootstrap makes the base from Debian's packages,
// for machines that reach a Debian mirror but no container registry.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const usage = `npm run sandbox:image [-- options]
  --browser            the image of the tools browser and screenshot instead of the commands' own
  --onto IMAGE         only put the runner and the relay onto an image of yours that has bash; takes them from the
                       sandbox's image, which is built before, and needs a --tag
  --from-debootstrap   make the base image from Debian packages (needs root and debootstrap, no registry)
  --base IMAGE         base image, alpine:3.19 (any image with apk or apt-get)
  --tag NAME           name of the result, $KURISU_SANDBOX_IMAGE or kurisu-sandbox:latest; with --browser kurisu-browser:latest
  --extra "PACKAGES"   more packages to install (not with --browser)
  --rebuild            make the debootstrap base again even if it is there`;

const debian = {
  suite: "bookworm",
  image: "kurisu-base:bookworm",
  /** Unset = the one that debootstrap itself knows. */
  mirror: process.env.DEBIAN_MIRROR,
};
const dockerfile = fileURLToPath(new URL("../Dockerfile.sandbox", import.meta.url));
const context = fileURLToPath(new URL("../src/sandbox/runner", import.meta.url));

function fail(problem, remedy) {
  console.error(`${problem}\n  What to do: ${remedy}`);
  process.exit(69);
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        browser: { type: "boolean", default: false },
        onto: { type: "string" },
        "from-debootstrap": { type: "boolean", default: false },
        base: { type: "string" },
        tag: { type: "string" },
        extra: { type: "string", default: "" },
        rebuild: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    }).values;
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`);
    process.exit(78);
  }
}

function run(program, args, options = {}) {
  return spawnSync(program, args, { stdio: "inherit", ...options });
}

function ask(program, args) {
  return spawnSync(program, args, { encoding: "utf8" });
}

function requireEngine() {
  const answer = ask("docker", ["version", "--format", "{{.Server.Version}}"]);
  if (answer.error?.code === "ENOENT")
    fail(
      "The docker command is not installed.",
      "install Docker (Debian: apt-get install docker.io), then run this again.",
    );
  const complaint = `${answer.stderr ?? ""}${answer.stdout ?? ""}`.trim();
  if (answer.status === 0) return;
  if (/permission denied/i.test(complaint)) {
    fail(
      `Docker refuses this user: ${complaint}`,
      'add yourself to the group docker ("sudo usermod -aG docker $USER", then log in again) or run this with sudo.',
    );
  }
  fail(
    `No Docker engine answers: ${complaint}`,
    'start it ("sudo systemctl start docker"), or set DOCKER_HOST to the engine\'s address.',
  );
}

function imageExists(name) {
  return ask("docker", ["image", "inspect", "--format", "{{.Id}}", name]).status === 0;
}

function makeDebianBase() {
  if (process.platform !== "linux")
    fail("debootstrap works on Linux only.", "leave --from-debootstrap out; the base then comes from a registry.");
  if (process.getuid() !== 0) fail("debootstrap needs root.", "run this with sudo, or leave --from-debootstrap out.");
  if (ask("debootstrap", ["--version"]).error)
    fail("debootstrap is not installed.", "apt-get install debootstrap, then run this again.");
  const folder = mkdtempSync(join(tmpdir(), "kurisu-base-"));
  try {
    console.log(`Making ${debian.image} by debootstrap (about a minute) …`);
    const made = ask("debootstrap", [
      "--variant=minbase",
      debian.suite,
      folder,
      ...(debian.mirror ? [debian.mirror] : []),
    ]);
    if (made.status !== 0) {
      console.error(`${made.stdout}${made.stderr}`.split("\n").slice(-15).join("\n"));
      const log = join(folder, "debootstrap/debootstrap.log");
      if (existsSync(log)) console.error(readFileSync(log, "utf8").split("\n").slice(-15).join("\n"));
      fail("debootstrap failed.", "see the lines above; another mirror can be set with DEBIAN_MIRROR=http://….");
    }
    // Everything below must be read as root and with numeric owners, or the image would get this machine's user names.
    const script =
      'set -o pipefail; tar --numeric-owner --one-file-system -C "$0" -c . | docker import --change "LABEL kurisu.image=base" - "$1"';
    const imported = run("bash", ["-c", script, folder, debian.image]);
    if (imported.status !== 0) fail("docker import failed.", "see the lines above (a full disk is the usual reason).");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function build(target, base, tag, extra) {
  console.log(`Building ${tag} from ${base} …`);
  // The legacy builder: BuildKit needs the buildx plug-in, which Debian's docker.io does not bring.
  // The context is the runner's own folder: nothing else of this checkout can end up in the image.
  const args = [
    "build",
    "--network",
    "host",
    "--build-arg",
    `BASE_IMAGE=${base}`,
    "--build-arg",
    `EXTRA_PACKAGES=${extra}`,
    "--target",
    target,
    "-t",
    tag,
    "-f",
    dockerfile,
    context,
  ];
  const built = spawnSync("docker", args, {
    stdio: ["ignore", "pipe", "pipe"],
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, DOCKER_BUILDKIT: "0" },
  });
  if (built.status === 0) return;
  const output = `${built.stdout}${built.stderr}`.trim();
  console.error(output.split("\n").slice(-25).join("\n"));
  const registryMissing = /no such host|dial tcp|lookup |i\/o timeout|TLS handshake|pull access denied/i.test(output);
  if (registryMissing && !imageExists(base)) {
    fail(
      `The base image ${base} cannot be fetched.`,
      "use --from-debootstrap (needs root and debootstrap), or --base with an image that you have.",
    );
  }
  fail(
    "The build failed.",
    "see the lines above; the packages come from the base image's own mirror, which must be reachable.",
  );
}

/** Static programs, so they run in any image of this processor. */
function putOnto(image, tag) {
  const source = process.env.KURISU_SANDBOX_IMAGE ?? "kurisu-sandbox:latest";
  if (tag === undefined || tag === source) fail("--onto needs a name for the result.", "add --tag NAME.");
  const label = (name) =>
    ask("docker", ["image", "inspect", "--format", `{{index .Config.Labels "${name}"}}`, source]).stdout.trim();
  if (label("kurisu.runner") === "") fail(`${source} holds no runner.`, "build it first: npm run sandbox:image.");
  const lines = [
    `FROM ${source} AS runner`,
    `FROM ${image}`,
    "COPY --from=runner /usr/local/bin/kurisu-runner /usr/local/bin/kurisu-relay /usr/local/bin/",
    `LABEL kurisu.image=sandbox kurisu.runner=${label("kurisu.runner")} kurisu.relay=${label("kurisu.relay")}`,
    "USER 1000:1000",
    "ENTRYPOINT []",
    'CMD ["/bin/bash"]',
  ];
  const env = { ...process.env, DOCKER_BUILDKIT: "0" };
  const built = spawnSync("docker", ["build", "-t", tag, "-"], { input: lines.join("\n"), encoding: "utf8", env });
  if (built.status === 0) return console.log(`${tag} is ready.`);
  console.error(`${built.stdout}${built.stderr}`.trim().split("\n").slice(-25).join("\n"));
  fail("The build failed.", `see the lines above; is ${image} there?`);
}

const options = readOptions();
if (options.help) {
  console.log(usage);
  process.exit(0);
}
requireEngine();
if (options.onto !== undefined) {
  putOnto(options.onto, options.tag);
  process.exit(0);
}
let base = options.base ?? "alpine:3.19";
if (options["from-debootstrap"]) {
  base = debian.image;
  if (options.rebuild || !imageExists(base)) makeDebianBase();
}
const defaultTag = options.browser
  ? "kurisu-browser:latest"
  : (process.env.KURISU_SANDBOX_IMAGE ?? "kurisu-sandbox:latest");
const tag = options.tag ?? defaultTag;
build(options.browser ? "browser" : "sandbox", base, tag, options.extra);
const size = ask("docker", ["image", "inspect", "--format", "{{.Size}}", tag]).stdout.trim();
console.log(`${tag} is ready (${Math.round(Number(size) / 1e6)} MB).`);
