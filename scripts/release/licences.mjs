// The licences of all production dependencies: those in the bundle, those installed beside it, those that build it.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Licences that ask no more of a copy than their text beside it. */
const permissive = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "Unlicense",
]);

const explanations = "scripts/release/licences-explained.json";
const readJson = (file) => JSON.parse(readFileSync(file, "utf8"));

/**
 * Each production dependency of the lock file once: name, version, licence and text. Packages for other systems than this one
 * count where the published package may bring them, which `shipped` (names) says. Throws with every dependency whose
 * licence is unknown or not permissive.
 */
export function listLicences(root, shipped = []) {
  const explained = readJson(join(root, explanations));
  const entries = Object.entries(readJson(join(root, "package-lock.json")).packages)
    .filter(([path, { dev }]) => path !== "" && dev !== true)
    .map(([path, { version, license }]) => {
      const name = path.split("node_modules/").at(-1);
      return { name, version, license, folder: join(root, path) };
    })
    .filter(({ name, folder }) => existsSync(folder) || shipped.includes(name));
  const licences = entries.map((entry) => readLicence(entry, explained));
  const faults = licences.flatMap(({ name, version, licence }) => {
    if (licence === undefined) return [`${name} ${version}: no licence is named`];
    return isPermissive(licence) ? [] : [`${name} ${version}: ${licence} is not on the list of permissive licences`];
  });
  if (faults.length > 0)
    throw new Error(
      `${faults.join("\n")}\n  What to do: leave the dependency out, or read its licence and explain it in ${explanations}.`,
    );
  const byName = new Map(licences.map((one) => [`${one.name}@${one.version}`, one]));
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function readLicence({ name, version, license, folder }, explained) {
  const isHere = existsSync(folder);
  const own = isHere ? readJson(join(folder, "package.json")) : {};
  const old = own.licenses?.map(({ type }) => type).join(" OR ");
  const licence = explained[name]?.licence ?? own.license ?? license ?? old;
  const text = (isHere ? readText(folder) : undefined) ?? describeWithoutText(own, licence);
  return { name, version, licence, text };
}

/** The part of an expression that is chosen must be permissive: one of those joined by OR, all of those joined by AND. */
function isPermissive(licence) {
  if (typeof licence !== "string") return false;
  const parts = licence.replace(/^\((.*)\)$/, "$1");
  if (/[()]/.test(parts)) return false;
  return parts.split(" OR ").some((choice) => choice.split(" AND ").every((one) => permissive.has(one.trim())));
}

/** The files that the package brings, or the section of its README. */
function readText(folder) {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
  const files = names.filter((name) => /^(?:licen[cs]e|copying|notice|unlicense)/i.test(name)).sort();
  const texts = files.map((name) => readFileSync(join(folder, name), "utf8").trim());
  if (texts.length > 0) return texts.join("\n\n");
  const readme = names.find((name) => /^readme/i.test(name));
  if (readme === undefined) return undefined;
  const section = /^#+ *licen[cs]e[^\n]*\n([^]*?)(?=^#+ |(?![^]))/im.exec(readFileSync(join(folder, readme), "utf8"));
  return section !== null && /permission is hereby granted/i.test(section[1]) ? section[1].trim() : undefined;
}

/** For a package without a file of its own: its author and the usual text. */
function describeWithoutText({ author, contributors }, licence) {
  const one = author ?? contributors?.[0];
  const holder = typeof one === "string" ? one.replace(/\s*[<(].*$/, "") : one?.name;
  const head = `The package brings no text of its licence (${licence}).\nCopyright (c) ${holder ?? "its authors"}`;
  const text = Object.entries(usualTexts).find(([id]) => new RegExp(`\\b${id}\\b`).test(licence ?? ""))?.[1];
  return text === undefined ? head : `${head}\n\n${text}`;
}

export function describeLicences(licences) {
  const line = "=".repeat(80);
  const head = `Kurisu contains or uses these ${licences.length} packages. Each stands under its own licence.`;
  const blocks = licences.map(
    ({ name, version, licence, text }) => `${line}\n${name} ${version}\n${licence}\n${line}\n\n${text}\n`,
  );
  return `${head}\n\n${blocks.join("\n")}`;
}

const noWarranty = `THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

const usualTexts = {
  MIT: `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

${noWarranty}`,
  ISC: `Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby
granted, provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL
IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN
ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF
THIS SOFTWARE.`,
};
