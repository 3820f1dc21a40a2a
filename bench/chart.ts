import type { Medians } from "./results.ts";

const WIDTH = 800;
const MARGIN = 20;
const COLUMNS = 2;
const PANEL_WIDTH = (WIDTH - MARGIN * (COLUMNS + 1)) / COLUMNS;
const LABEL_WIDTH = 112;
const VALUE_WIDTH = 62;
const BAR = 13;
const STEP = 17;
const TITLE_HEIGHT = 24;
const TOP = 58;
const GAP = 18;

/** The classes of the bars. The service stands out from the others. */
const BAR_CLASSES: Readonly<Record<string, string>> = {
  service: "service",
  "service-postgres": "service",
  hono: "rival",
  fastify: "rival",
};

/** Readable on light and on dark pages, alone or embedded. */
const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #57606a }
  .card { fill: #ffffff; stroke: #d0d7de }
  .title { font-size: 15px; font-weight: 600; fill: #1f2328 }
  .name { font-weight: 600; fill: #1f2328 }
  .bare { fill: #b1bac4 } .rival { fill: #d4a72c } .service { fill: #0969da }
  @media (prefers-color-scheme: dark) {
    text { fill: #9198a1 }
    .card { fill: #0d1117; stroke: #3d444d }
    .title, .name { fill: #f0f6fc }
    .bare { fill: #656c76 } .rival { fill: #bb8009 } .service { fill: #4493f8 }
  }
`;

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** One workload, with a bar for each contender relative to the slowest one. */
const panel = (
  title: string,
  figures: readonly Medians[],
  { x, y }: { readonly x: number; readonly y: number },
): string => {
  const most = Math.max(...figures.map(({ cpuMicros }) => cpuMicros));
  const room = PANEL_WIDTH - LABEL_WIDTH - VALUE_WIDTH;
  const bars = figures.map(({ contender, cpuMicros }, index) => {
    const top = y + TITLE_HEIGHT + index * STEP;
    const length = Math.max(1, (cpuMicros / most) * room);
    const start = x + LABEL_WIDTH;
    return [
      `<text x="${start - 6}" y="${top + 11}" text-anchor="end">${escaped(contender)}</text>`,
      `<rect class="${BAR_CLASSES[contender] ?? "bare"}" x="${start}" y="${top}" width="${length.toFixed(1)}" height="${BAR}" rx="2"/>`,
      `<text x="${(start + length + 6).toFixed(1)}" y="${top + 11}">${cpuMicros.toFixed(cpuMicros < 100 ? 1 : 0)}</text>`,
    ].join("");
  });
  return [`<text class="name" x="${x}" y="${y + 12}">${escaped(title)}</text>`, ...bars].join("\n");
};

/** An SVG of the CPU time of one request, by workload and contender. Each workload has its own scale. */
export const chartOf = (figures: readonly Medians[]): string => {
  const workloads = [...Map.groupBy(figures, ({ workload }) => workload)];
  let y = TOP;
  const panels: string[] = [];
  for (let first = 0; first < workloads.length; first += COLUMNS) {
    const row = workloads.slice(first, first + COLUMNS);
    for (const [column, [workload, own]] of row.entries())
      panels.push(panel(workload, own, { x: MARGIN + column * (PANEL_WIDTH + MARGIN), y }));
    y += TITLE_HEIGHT + Math.max(...row.map(([, own]) => own.length)) * STEP + GAP;
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" width="${WIDTH}" height="${y}" role="img">`,
    "<title>CPU time for one request, by workload and contender</title>",
    `<style>${STYLE}</style>`,
    `<rect class="card" x="0.5" y="0.5" width="${WIDTH - 1}" height="${y - 1}" rx="8"/>`,
    `<text class="title" x="${MARGIN}" y="26">CPU time of the server for one request, in µs</text>`,
    `<text x="${MARGIN}" y="43">Shorter is better; every workload on a scale of its own; on PostgreSQL without the database’s own processes.</text>`,
    ...panels,
    "</svg>\n",
  ].join("\n");
};
