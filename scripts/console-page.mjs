// Builds the page of the web console: hashed files with .gz and .br beside them, and page.json, which names them for the server.
// scripts/bundle.mjs puts them into the folder of the bundle.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const languages = ["zh", "en", "ja"];
/** Pixels; drawn from icons/home.svg. */
const homeIconSizes = [192, 512];
/** The page's one style sheet, in this order. */
const styles = [
  "base",
  "door",
  "frame",
  "today",
  "question",
  "chats",
  "round",
  "watch",
  "composer",
  "her",
  "abilities",
  "trials",
  "system",
  "editor",
  "persona",
];

export async function buildConsolePage(root, folder) {
  const { rolldown } = await import("rolldown");
  const source = join(root, "src", "console", "page");
  const bundle = await rolldown({
    cwd: root,
    input: { console: join(source, "main.tsx") },
    platform: "browser",
    // The image is built without the tsconfig.json of the project, which the page's own extends.
    tsconfig: false,
    transform: { jsx: { runtime: "automatic", importSource: "preact" } },
    onLog(level, log) {
      if (level === "warn") throw new Error(log.message);
    },
  });
  const { output } = await bundle.generate({
    format: "esm",
    minify: true,
    comments: false,
    entryFileNames: "[name]-[hash].js",
    chunkFileNames: "[name]-[hash].js",
  });
  await bundle.close();

  mkdirSync(folder, { recursive: true });
  const files = [];
  const write = (name, content) => {
    const bytes = Buffer.from(content);
    writeFileSync(join(folder, name), bytes);
    writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
    const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, { params: quality }));
    files.push(name);
    return name;
  };
  const writeHashed = (name, ending, content) => {
    const hash = createHash("sha256").update(content).digest("hex").slice(0, 8);
    return write(`${name}-${hash}.${ending}`, content);
  };
  for (const { code, fileName } of output) write(fileName, code);
  const words = languages.map((language) => {
    const end = join("words", `${language}.ts`);
    const chunk = output.find(({ facadeModuleId }) => facadeModuleId?.endsWith(end));
    if (chunk === undefined) throw new Error(`the page of the console has no words in ${language}`);
    return [language, chunk.fileName];
  });
  const css = styles.map((name) => readFileSync(join(source, "styles", `${name}.css`), "utf8")).join("");
  const style = writeHashed("console", "css", shrinkStyle(css));
  const icons = join(source, "icons");
  const icon = writeHashed("icon", "svg", readFileSync(join(icons, "tab.svg")));
  const homeIcons = homeIconSizes.map((size) => [
    size,
    writeHashed(`home-${size}`, "png", readFileSync(join(icons, `home-${size}.png`))),
  ]);
  const manifest = writeHashed("console", "webmanifest", JSON.stringify(describeApp(homeIcons)));
  const { fileName: script, imports } = output.find(({ isEntry }) => isEntry);
  const homeIcon = Object.fromEntries(homeIcons)[homeIconSizes[0]];
  const list = { script, imports, style, icon, homeIcon, manifest, words: Object.fromEntries(words), files };
  writeFileSync(join(folder, "page.json"), JSON.stringify(list));
}

/** The page on a phone's home screen. The icons leave room for the phone's own mask. */
function describeApp(homeIcons) {
  return {
    name: "Kurisu",
    short_name: "Kurisu",
    start_url: "/console/",
    scope: "/console/",
    display: "standalone",
    background_color: "#f3f2ed",
    theme_color: "#f3f2ed",
    icons: homeIcons.map(([size, name]) => ({
      src: `/console/assets/${name}`,
      sizes: `${size}x${size}`,
      type: "image/png",
      purpose: "any maskable",
    })),
  };
}

/** Comments and white space; our own style sheet has no text in which they would count. */
function shrinkStyle(css) {
  return css
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{};,>]) ?/g, "$1")
    .replace(/: /g, ":")
    .replace(/;}/g, "}")
    .trim();
}
