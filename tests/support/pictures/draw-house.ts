// node scripts/node.mjs tests/support/pictures/draw-house.ts
// Writes docs/pictures/house.svg: the list of features, the folders of the kernel and the channels, as the code has them.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { features } from "../../../src/assembly/features.ts";
import { channelDefinitions } from "../../../src/channels/definitions/channel-definitions.ts";

const root = join(import.meta.dirname, "../../..");
export const houseFile = join(root, "docs/pictures/house.svg");

const width = 960;
const margin = 24;
/** The walk of a message through the folders of the kernel. */
const walk = ["inbox", "questions", "lanes", "turns", "agent", "gate", "tools", "outbox"];
/** The rooms below the kernel, each with its task. */
const below = {
  models: "which model answers",
  sandbox: "commands in containers",
  web: "the one way out",
  workspace: "files of a session",
  store: "tables, two engines",
};

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const escape = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const write = (kind: string, x: number, y: number, text: string, anchor = "start"): string =>
  `<text class="${kind}" x="${x}" y="${y}" text-anchor="${anchor}">${escape(text)}</text>`;
const frame = (kind: string, { x, y, width, height }: Box): string =>
  `<rect class="${kind}" x="${x}" y="${y}" width="${width}" height="${height}" rx="8"/>`;

/** A row of boxes of one width between the margins. */
function drawRow(kind: string, y: number, height: number, names: readonly string[], notes: readonly string[] = []) {
  const gap = 14;
  const step = (width - 4 * margin + gap) / names.length;
  return names.flatMap((name, index) => {
    const box = { x: Math.round(2 * margin + index * step), y, width: Math.round(step - gap), height };
    const middle = box.x + box.width / 2;
    const note = notes[index];
    return [
      frame(kind, box),
      write("name", middle, y + (note === undefined ? height / 2 + 5 : 20), name, "middle"),
      ...(note === undefined ? [] : [write("note", middle, y + 36, note, "middle")]),
    ];
  });
}

/** Arrows between the boxes of a row. */
function drawArrows(y: number, count: number): readonly string[] {
  const step = (width - 4 * margin + 14) / count;
  return Array.from({ length: count - 1 }, (_, index) => {
    const x = Math.round(2 * margin + (index + 1) * step) - 13;
    return `<path class="arrow" d="M${x} ${y} h11 m-4 -4 l4 4 l-4 4"/>`;
  });
}

/** The features in their order, with the comment that each has in the list. */
function listFeatures(): readonly { readonly name: string; readonly note: string }[] {
  const source = readFileSync(join(root, "src/assembly/features.ts"), "utf8");
  const notes = [...source.matchAll(/^ {2}\w+, \/\/ (.+)$/gm)].map(([, note = ""]) => note);
  if (notes.length !== features.length) throw new Error("a line of src/assembly/features.ts has no comment");
  return features.map(({ name }, index) => ({ name, note: cut(notes[index] ?? "", 48) }));
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, text.lastIndexOf(" ", most)).replace(/,$/, "")} …`;
}

function drawFeatures(top: number): { readonly parts: readonly string[]; readonly bottom: number } {
  const listed = listFeatures();
  const [columns, height] = [3, 40];
  const rows = Math.ceil(listed.length / columns);
  const step = (width - 4 * margin) / columns;
  const parts = listed.flatMap(({ name, note }, index) => {
    const x = Math.round(2 * margin + Math.floor(index / rows) * step);
    const y = top + 44 + (index % rows) * height;
    return [
      `<circle class="dot" cx="${x}" cy="${y - 4}" r="3"/>`,
      write("name", x + 10, y, name),
      write("note", x + 10, y + 15, note),
    ];
  });
  const box = { x: margin, y: top, width: width - 2 * margin, height: 44 + rows * height };
  return {
    parts: [
      frame("room", box),
      write("title", 2 * margin, top + 22, "src/features: what she can do, one folder each"),
      ...parts,
    ],
    bottom: top + box.height,
  };
}

function drawKernel(top: number): { readonly parts: readonly string[]; readonly bottom: number } {
  const folders = readdirSync(join(root, "src/kernel"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
  const gone = walk.filter((name) => !folders.includes(name));
  if (gone.length > 0) throw new Error(`src/kernel has no folder ${gone.join(", ")}`);
  const others = folders.filter((name) => !walk.includes(name));
  const half = Math.ceil(others.length / 2);
  const box = { x: margin, y: top, width: width - 2 * margin, height: 172 };
  return {
    parts: [
      frame("room", box),
      write(
        "title",
        2 * margin,
        top + 22,
        "src/kernel: one message, from the inbox to the outbox; it knows no feature",
      ),
      ...drawRow("station", top + 36, 38, walk),
      ...drawArrows(top + 55, walk.length),
      ...drawRow("folder", top + 90, 28, others.slice(0, half)),
      ...drawRow("folder", top + 128, 28, others.slice(half)),
    ],
    bottom: top + box.height,
  };
}

const style = `
  .back { fill: #fbf7f3 } .room { fill: none; stroke: #8a5a52; stroke-width: 1.5 }
  .station { fill: #f3dcd4; stroke: #a33b3b } .folder { fill: #f3ebe4; stroke: none } .dot { fill: #a33b3b }
  .title { fill: #3a1d1d; font-size: 14px; font-weight: 700 } .name { fill: #3a1d1d; font-size: 12.5px } .note { fill: #76493f; font-size: 11px }
  .arrow { stroke: #a33b3b; fill: none; stroke-width: 1.5 }
  @media (prefers-color-scheme: dark) {
    .back { fill: #1d1614 } .room { stroke: #c69a90 } .station { fill: #4a2623; stroke: #e0776c } .folder { fill: #332622 }
    .dot { fill: #e0776c } .title, .name { fill: #f3e7e1 } .note { fill: #d3aaa0 } .arrow { stroke: #e0776c }
  }
  text { font-family: system-ui, "Segoe UI", "Helvetica Neue", Arial, sans-serif }
`;

/** The drawing of docs/tour.md. */
export function drawHouse(): string {
  const channels = [...channelDefinitions.map(({ name }) => name), "terminal", "console"];
  const parts = [
    write("title", 2 * margin, 46, "src/channels: where people talk to her"),
    ...drawRow("folder", 58, 28, channels),
  ];
  const kernel = drawKernel(118);
  const made = drawFeatures(kernel.bottom + 40);
  const hooks = width / 2;
  const joint = [
    `<path class="arrow" d="M${hooks} 92 v24 m-4 -4 l4 4 l4 -4 M${hooks} ${kernel.bottom + 38} v-34 m-4 4 l4 -4 l4 4"/>`,
    write("note", hooks + 14, kernel.bottom + 25, "hooks, commands, tools, tables (defineFeature)"),
  ];
  const rooms = drawRow("folder", made.bottom + 40, 46, Object.keys(below), Object.values(below));
  const height = made.bottom + 40 + 46 + margin;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="The house: channels, the kernel with its folders, the features, and the rooms below">`,
    `<style>${style}</style>`,
    `<rect class="back" width="${width}" height="${height}" rx="14"/>`,
    ...parts,
    ...kernel.parts,
    ...joint,
    ...made.parts,
    write("title", 2 * margin, made.bottom + 26, "the rooms below: imports only go down"),
    ...rooms,
    "</svg>\n",
  ].join("\n");
}

if (import.meta.main) writeFileSync(houseFile, drawHouse());
