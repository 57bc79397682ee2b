// What scripts/node.mjs knows of installed packages: are they those of the lock file, and is another process installing right now?
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const unreadableAfter = 10_000;
const abandonedAfter = 30 * 60_000;

function hashLock(folder) {
  return createHash("sha256")
    .update(readFileSync(join(folder, "package-lock.json")))
    .digest("hex");
}

function stampOf(folder) {
  return join(folder, "node_modules", ".kurisu-lock");
}

/**
 * True when the folder's node_modules is that of its package-lock.json, by our stamp or by npm's own record. `needs` = "run"
 * is satisfied by "all" as well.
 */
export function isInstalled(folder, needs = "all") {
  const stamp = stampOf(folder);
  const found = existsSync(stamp) ? readFileSync(stamp, "utf8") : "";
  const hash = hashLock(folder);
  if (found === describeStamp(hash, "all") || found === describeStamp(hash, needs)) return true;
  if (!matchesNpmRecord(folder, needs)) return false;
  writeStamp(folder, needs);
  return true;
}

const describeStamp = (hash, needs) => `${hash} ${needs}`;

/** A user may have run `npm ci` by hand; npm then left a list of what it installed. */
function matchesNpmRecord(folder, needs) {
  const record = join(folder, "node_modules", ".package-lock.json");
  if (!existsSync(record)) return false;
  const wanted = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")).packages;
  const found = JSON.parse(readFileSync(record, "utf8")).packages;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "" || (needs === "run" && entry.dev === true)) return true;
    // Packages for other systems are in the lock file and never installed.
    if (found[path] === undefined) return entry.optional === true;
    return found[path].version === entry.version && existsSync(join(folder, path));
  });
}

export function writeStamp(folder, needs = "all") {
  try {
    writeFileSync(stampOf(folder), describeStamp(hashLock(folder), needs));
  } catch (error) {
    // A read-only checkout works as well; it is looked through again the next time.
    if (!["EACCES", "EROFS", "EPERM"].includes(error.code)) throw error;
  }
}

/** Does the work while no other process does; waits for one that does. A lock whose process is gone is taken over. */
export function withInstallLock(root, work) {
  const lock = join(root, ".cache", "install-lock");
  mkdirSync(join(root, ".cache"), { recursive: true });
  let told = false;
  while (!tryLock(lock)) {
    if (!told) console.error("Another process is installing; waiting for it …");
    told = true;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  }
  const release = () => rmSync(lock, { recursive: true, force: true });
  process.on("exit", release);
  work();
  process.removeListener("exit", release);
  release();
}

function tryLock(lock) {
  try {
    mkdirSync(lock);
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    dropStaleLock(lock);
    return false;
  }
  writeFileSync(join(lock, "pid"), String(process.pid));
  return true;
}

function dropStaleLock(lock) {
  const owner = readOwner(lock);
  if (owner === undefined || owner.alive) return;
  // Every waiter moves it to the same name, which only the first one can: none removes the lock of a quicker waiter.
  const grave = `${lock}-of-${owner.pid}`;
  try {
    renameSync(lock, grave);
  } catch (error) {
    if (!["ENOENT", "ENOTEMPTY", "EEXIST"].includes(error.code)) throw error;
    return;
  }
  rmSync(grave, { recursive: true, force: true });
}

function readOwner(lock) {
  try {
    const age = Date.now() - statSync(lock).mtimeMs;
    const file = join(lock, "pid");
    if (!existsSync(file)) return { pid: "nobody", alive: age < unreadableAfter };
    const pid = Number(readFileSync(file, "utf8"));
    return { pid, alive: age < abandonedAfter && isAlive(pid) };
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
