// Writes src/store/search/variants.ts: every traditional, regional and Japanese form of a character with the one it is
// searched as. Made of OpenCC's tables (Apache-2.0, by opencc-js); what is indexed depends on each pair, so a change of
// the table needs a new tokeniserVersion.
import { writeFileSync } from "node:fs";
import hongKong from "opencc-js/dict/HKVariants";
import japaneseForms from "opencc-js/dict/JPShinjitaiCharacters";
import toSimplified from "opencc-js/dict/TSCharacters";
import taiwan from "opencc-js/dict/TWVariants";

/** Characters with a meaning of their own in Chinese, which Japanese writes for others. */
const notJapanese = new Set("予欠缶芸弁糸浜");

const readTable = (table) => table.split("|").map((line) => line.split(" "));

const compare = (a, b) => (a < b ? -1 : 1);

const parents = new Map();
const find = (letter) => (parents.has(letter) ? find(parents.get(letter)) : letter);
function unite(variant, standard) {
  const [from, to] = [find(variant), find(standard)];
  if (from !== to) parents.set(from, to);
}

const simplified = readTable(toSimplified);
for (const [traditional, first] of simplified) unite(traditional, first);
for (const table of [taiwan, hongKong])
  for (const [standard, ...regional] of readTable(table)) for (const one of regional) unite(one, standard);
for (const [japanese, standard] of readTable(japaneseForms)) if (!notJapanese.has(japanese)) unite(japanese, standard);
unite("幺", "么");

// A class is searched as the form that is written in simplified Chinese.
const written = new Set(simplified.map(([, first]) => first));
const classes = Map.groupBy([...new Set([...parents.keys(), ...parents.values()])].sort(compare), find);
const pairs = [...classes].flatMap(([root, members]) => {
  const form = root === "么" || written.has(root) ? root : (members.find((one) => written.has(one)) ?? root);
  return members.filter((one) => one !== form).map((one) => one + form);
});
// Those beyond 16 bits are not in use.
const usual = pairs.filter((pair) => pair.length === 2).sort(compare);
const lines = Array.from({ length: Math.ceil(usual.length / 50) }, (_, line) =>
  usual.slice(line * 50, line * 50 + 50).join(""),
);
writeFileSync(
  new URL("../src/store/search/variants.ts", import.meta.url),
  `/**
 * Pairs of a character and the form it is searched as, without the spaces: ${usual.length} of them, written by
 * scripts/variant-table.mjs of OpenCC's tables (Apache License 2.0, https://github.com/BYVoid/OpenCC).
 */
export const variantPairs = \`
${lines.join("\n")}
\`;
`,
);
