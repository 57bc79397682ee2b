import type { LineView } from "../views/chats-views.ts";

const width = 240;
const rowHeight = 26;
const left = 8;
const right = 26;
const bend = 22;
const tickEvery = 12;

interface Drawn {
  readonly line: LineView;
  readonly y: number;
  readonly from: number;
  readonly to: number;
}

/** Draws the world lines, each forking from its parent at its point. The list below says the same in words. */
export function WorldFork({ lines }: { readonly lines: readonly LineView[] }) {
  const points = Math.max(1, ...lines.map(({ last }) => last?.point ?? 0));
  const placeOf = (point: number): number => left + (Math.max(0, point) / points) * (width - left - right);
  const drawn = lines.map((line, at): Drawn => {
    const from = line.from === undefined ? left : placeOf(line.from.point);
    return { line, y: rowHeight * (at + 0.6), from, to: Math.max(placeOf(line.last?.point ?? 0), from + bend + 6) };
  });
  const height = rowHeight * (lines.length + 0.2);
  return (
    <svg class="worldfork" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {drawn
        .toSorted((one, other) => Number(one.line.isCurrent) - Number(other.line.isCurrent))
        .map(({ from, line, to, y }) => {
          const parent = drawn.find((one) => one.line.number === line.from?.line);
          const start = parent === undefined ? from : from + bend;
          return (
            <g key={line.number} class={line.isCurrent ? "here" : ""}>
              {parent !== undefined && (
                <>
                  <path
                    d={`M${from} ${parent.y}C${from + bend / 2} ${parent.y} ${from + bend / 2} ${y} ${start} ${y}`}
                  />
                  <text class="number" x={from} y={parent.y - 6}>
                    {line.from !== undefined && line.from.point >= 0 && line.from.point}
                  </text>
                </>
              )}
              <path d={`M${start} ${y}H${to}`} />
              <path class="ticks" d={drawTicks(start, to, y)} />
              <circle cx={to} cy={y} r="3.5" />
              <text x={to + 8} y={y + 4}>
                {line.name}
              </text>
            </g>
          );
        })}
    </svg>
  );
}

function drawTicks(from: number, to: number, y: number): string {
  const count = Math.max(0, Math.ceil((to - 4 - from) / tickEvery));
  return Array.from({ length: count }, (_, at) => `M${from + at * tickEvery} ${y - 3}v3`).join("");
}
