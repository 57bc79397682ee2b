import { registerHooks, stripTypeScriptTypes } from "node:module";

/**
 * Runs one tool of config/tools: a separate process without rights to files, programs and threads, and, once the code
 * is loaded, without a way to a module or a global that could reach a network. One piece of work comes in, one answer
 * goes out.
 */

/** All other names leave the global object before the code is loaded. */
const kept = new Set(
  `
    globalThis Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean String Symbol Date
    Promise RegExp Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError JSON
    Math Intl ArrayBuffer Atomics Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array Float32Array
    Float64Array Uint8ClampedArray BigUint64Array BigInt64Array DataView Map BigInt Set WeakMap WeakSet WeakRef
    Proxy Reflect Iterator decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape isFinite
    isNaN atob btoa TextEncoder TextDecoder URL URLSearchParams structuredClone queueMicrotask
  `
    .trim()
    .split(/\s+/),
);

const { stdin, stdout } = process;
// The code may put its own in the place of any of these.
const { stringify } = JSON;
const toNumber = Number;
const chunks: Buffer[] = [];
for await (const chunk of stdin) chunks.push(chunk as Buffer);
const work = JSON.parse(Buffer.concat(chunks).toString()) as { readonly source: string; readonly input?: unknown };
const answer = (value: object): void => void stdout.write(`${stringify(value)}\n`);
// A text that breaks the reader of types breaks this process only.
const code = stripTypeScriptTypes(work.source);
const url = `data:text/javascript;base64,${Buffer.from(code).toString("base64")}`;
const later = setTimeout;
const own = globalThis as Record<string, unknown>;
// Should the code get hold of the process after all, it finds no module in it and cannot signal other processes.
for (const name of ["getBuiltinModule", "binding", "_linkedBinding", "dlopen", "kill", "_kill", "execve", "mainModule"])
  Reflect.deleteProperty(process, name);
for (const name of Object.getOwnPropertyNames(globalThis)) if (!kept.has(name)) delete own[name];
// A number, as in browsers: the object of Node leads to its insides.
own["setTimeout"] = (act: () => void, milliseconds: number) => toNumber(later(() => act(), milliseconds));

registerHooks({
  resolve(specifier, context, next) {
    // A comparison only: the code could have replaced any function called here.
    if (specifier !== url) throw new Error(`a tool of config/tools imports nothing, not ${specifier}`);
    return next(specifier, context);
  },
});

try {
  const loaded = (await import(url)) as { default?: Record<string, unknown> };
  const tool = loaded.default;
  if (typeof tool !== "object" || tool === null)
    throw new TypeError("must have a default export with description and run");
  const run = tool["run"];
  if (typeof run !== "function") throw new TypeError("its default export must have a function run");
  if (!("input" in work)) {
    const { run: _, ...declaration } = tool;
    answer({ ok: true, value: declaration });
  } else {
    const value: unknown = await (run as (input: unknown) => unknown).call(tool, work.input);
    answer({ ok: true, value: value ?? null });
  }
} catch (error) {
  const { message = String(error), stack = "" } = (error ?? {}) as Partial<Error>;
  answer({ ok: false, error: message, stack });
}
