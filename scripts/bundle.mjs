// node scripts/bundle.mjs                    builds the bundle of the sources when there is none yet; prints its program
// node scripts/bundle.mjs --package FOLDER   writes the package that is published: the bundle, config/, and what it needs
//
// One program in a few files: what every start needs in one, what only some need in chunks that are loaded then. 2,200 modules
// take three seconds and 120 MB more.
import { execFile } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { dropOldBundles, findBundle, marksOfRunning } from "./bundle-state.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Installed beside the bundle: they have files of their own, or are patched by tests. All are loaded when needed. */
const installed = ["playwright-core", "pg", "sqlite-vec"];
/** Packages try these and go on without. */
const optional = ["bufferutil", "utf-8-validate", "encoding", "pg-native"];

/** `new URL("name", import.meta.url)` names a file beside a module: a program of its own, or a file that is read. */
const filesBesideModules = {
  name: "files-beside-modules",
  transform: {
    filter: { id: /[\\/]src[\\/].*\.ts$/, code: /import\.meta\.url/ },
    handler(code, id) {
      const changed = code.replace(/new URL\("([^"]+)",\s*import\.meta\.url\)/g, (_, name) => {
        const path = join(dirname(id), name);
        const file = name.endsWith(".ts")
          ? this.emitFile({ type: "chunk", id: path, name: basename(name, ".ts") })
          : this.emitFile({ type: "asset", name, source: readFileSync(path) });
        return `new URL(import.meta.ROLLUP_FILE_URL_${file})`;
      });
      return { code: changed, map: null };
    },
  },
};

const fail = (what) => `module.exports = () => { throw new Error(${JSON.stringify(`the bundle has no ${what}`)}); };`;

/** Parts of packages that only cost memory here, by the end of their path, and what stands in for them. */
const standIns = {
  // ssh2, grpc and protobufjs (32 MB). DOCKER_HOST is unix:// or tcp://, and nothing is built by the gateway.
  "docker-modem/lib/ssh.js": fail("ssh:// for a container engine; use unix:// or tcp://"),
  "dockerode/lib/session.js": fail("sessions of BuildKit"),
  "dockerode/lib/buildkit.js": fail("messages of BuildKit"),
  // node-fetch needs it where Node has no URL.
  "whatwg-url/lib/public-api.js": "module.exports = { URL, URLSearchParams };",
};

const leftOut = {
  name: "left-out",
  load: {
    filter: { id: /[\\/]node_modules[\\/](?:docker-modem|dockerode|whatwg-url)[\\/]lib[\\/]/ },
    handler(id) {
      const path = id.replaceAll("\\", "/").split("/node_modules/").at(-1);
      return standIns[path] === undefined ? undefined : { code: standIns[path], moduleType: "js" };
    },
  },
};

async function build(folder) {
  const { rolldown } = await import("rolldown");
  const { plainTemplates } = await import("./plain-templates.mjs");
  const { buildConsolePage } = await import("./console-page.mjs");
  // What the sentences of the skills teach lies beside the program. It is learnt while the bundle is built.
  const learnt = promisify(execFile)(process.execPath, [join(root, "scripts", "learn-models.mjs"), folder]);
  // A failure reaches the await below.
  learnt.catch(() => undefined);
  const bundle = await rolldown({
    cwd: root,
    input: { kurisu: join(root, "src", "launch.ts") },
    platform: "node",
    external: [...installed, ...optional],
    // Its other form loads its parts by names that no bundler sees.
    resolve: { alias: { "jsonc-parser": join(root, "node_modules", "jsonc-parser", "lib", "esm", "main.js") } },
    plugins: [filesBesideModules, plainTemplates, leftOut],
    checks: { eval: false },
    onLog(level, log) {
      if (level === "warn" && log.code === "UNRESOLVED_IMPORT") throw new Error(log.message);
    },
  });
  await bundle.write({
    dir: folder,
    format: "esm",
    // Text with a Chinese character in it takes two bytes a character in memory.
    charset: "ascii",
    comments: false,
    entryFileNames: "[name].mjs",
    chunkFileNames: "[name]-[hash].mjs",
    assetFileNames: "[name][extname]",
    // Names stay, so that a stack can be read.
    minify: { mangle: { keepNames: true }, compress: { keepNames: { function: true, class: true } } },
    sourcemap: true,
    sourcemapExcludeSources: true,
  });
  await bundle.close();
  await buildConsolePage(root, join(folder, "console-page"));
  await learnt;
}

/**
 * Built aside and moved in one step: several may build at once, and no process runs half a bundle. Sources that change
 * during the build are built again, so that no bundle holds other sources than its name says.
 */
async function ensureBundle() {
  const { program, built } = findBundle(root);
  if (built) return program;
  const folder = join(root, "dist");
  mkdirSync(folder, { recursive: true });
  const aside = mkdtempSync(join(folder, ".building-"));
  try {
    await build(aside);
    if (findBundle(root).program !== program) return await ensureBundle();
    mkdirSync(join(aside, marksOfRunning));
    chmodSync(aside, 0o755);
    renameSync(aside, dirname(program));
  } catch (error) {
    if (!findBundle(root).built) throw error;
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
  dropOldBundles(folder, basename(dirname(program)));
  return program;
}

/** Everything that an installed Kurisu consists of, with the exact versions of what is installed beside her. */
async function writePackage(folder) {
  mkdirSync(folder, { recursive: true });
  if (readdirSync(folder).length > 0) throw new Error(`${folder} is not empty`);
  await build(join(folder, "dist"));
  chmodSync(join(folder, "dist", "kurisu.mjs"), 0o755);
  for (const map of readdirSync(join(folder, "dist")).filter((name) => name.endsWith(".map")))
    rmSync(join(folder, "dist", map));
  const also = [
    ".env.example",
    "CHANGELOG.md",
    "config",
    // Messages of the program name pages of docs/.
    "docs",
    "LICENSE",
    "README.md",
    "README.zh-CN.md",
    "Dockerfile.sandbox",
    "packaging",
    "scripts/sandbox-image.mjs",
    "src/sandbox/runner",
  ];
  for (const path of also) cpSync(join(root, path), join(folder, path), { recursive: true });
  const { name, version, description, license, type, engines, dependencies } = readJson("package.json");
  const needed = Object.fromEntries(installed.map((one) => [one, dependencies[one]]));
  const own = {
    name,
    version,
    description,
    license,
    type,
    bin: { kurisu: "dist/kurisu.mjs" },
    scripts: { "sandbox:image": "node scripts/sandbox-image.mjs" },
    engines,
    dependencies: needed,
  };
  writeJson(join(folder, "package.json"), own);
  const locked = findLocked(installed, readJson("package-lock.json").packages);
  const packages = { "": own, ...locked };
  writeJson(join(folder, "npm-shrinkwrap.json"), { name, version, lockfileVersion: 3, requires: true, packages });
  const { describeLicences, listLicences } = await import("./release/licences.mjs");
  const shipped = Object.keys(locked).map((path) => path.replace(/^node_modules\//, ""));
  writeFileSync(join(folder, "THIRD-PARTY-LICENSES.txt"), describeLicences(listLicences(root, shipped)));
}

/** What the lock file says of these packages and of all that they need. */
function findLocked(names, packages, found = {}) {
  for (const name of names) {
    const path = `node_modules/${name}`;
    const entry = packages[path];
    if (found[path] !== undefined || entry === undefined) continue;
    found[path] = entry;
    findLocked(Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }), packages, found);
  }
  return found;
}

const readJson = (path) => JSON.parse(readFileSync(join(root, path), "utf8"));
const writeJson = (path, value) => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);

const [option, folder] = process.argv.slice(2);
if (option === undefined) console.log(await ensureBundle());
else if (option === "--package" && folder !== undefined) await writePackage(folder);
else {
  console.error(`usage: node ${relative(process.cwd(), fileURLToPath(import.meta.url))} [--package FOLDER]`);
  process.exitCode = 78;
}
