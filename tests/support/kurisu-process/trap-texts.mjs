// Loaded into the program by tests (node --import): texts that the process dies of. TRAPS is JSON, a list of { word, in, act }:
// when a text with that word is read by code of that file, the process hangs ("hang"), hangs for a while ("hang 2000") or is
// ended as by the system ("kill").
// The stacks of the bundle name the sources then.
process.setSourceMapsEnabled(true);
const traps = JSON.parse(process.env["TRAPS"] ?? "[]");

function isIn(file) {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = 60;
  const { stack } = new Error();
  Error.stackTraceLimit = before;
  return stack.includes(`/${file}`);
}

function spring(text) {
  for (const trap of traps) {
    if (trap.sprung || !text.includes(trap.word) || !isIn(trap.in)) continue;
    const [act, forMs] = trap.act.split(" ");
    if (act === "kill") process.kill(process.pid, "SIGKILL");
    trap.sprung = forMs !== undefined;
    const end = performance.now() + Number(forMs ?? Infinity);
    while (performance.now() < end);
  }
}

const texts = Object.getPrototypeOf("");
const { includes } = texts;
for (const method of ["normalize", "replace", "replaceAll", "split", "trim", "slice", "toWellFormed"]) {
  const original = texts[method];
  const watched = function (...given) {
    for (const { word } of traps) if (includes.call(this, word)) spring(String(this));
    return original.apply(this, given);
  };
  Object.defineProperty(texts, method, { value: watched, configurable: true, writable: true });
}
