import { between, type Canvas, type Colour, colourOf, fading, type Paint, type Point, plain } from "./canvas.ts";
import type { Kind } from "./kinds.ts";
import { box, ellipse, line, rounded } from "./shapes.ts";

const WIDTH = 480;
const HEIGHT = 320;
const HORIZON = 196;
/** Where the wheels stand. */
const GROUND = 264;

const WHITE = colourOf("#ffffff");
const BLACK = colourOf("#000000");
const TYRE = colourOf("#1b1d20");
const RIM = colourOf("#c3c8ce");
const GLASS = fading(colourOf("#6d8296"), colourOf("#26323d"));
const HEADLIGHT = colourOf("#f4f6ee");
const TAIL_LIGHT = colourOf("#b3121d");
const SPOKES = 5;

/** A lot under the sky, with hills and lines on the ground. */
const drawLot = (canvas: Canvas): void => {
  canvas.fill(box([0, 0], WIDTH, HORIZON + 1), fading(colourOf("#9fc3e0"), colourOf("#eaf2f8")));
  const hills: Point[] = [
    [0, 176],
    [70, 158],
    [150, 178],
    [240, 162],
    [330, 180],
    [410, 164],
    [480, 176],
    [480, 198],
    [0, 198],
  ];
  canvas.fill(rounded(hills, 40), plain(colourOf("#a9bda9")));
  canvas.fill(box([0, HORIZON], WIDTH, HEIGHT - HORIZON), fading(colourOf("#b3b8bd"), colourOf("#8b9197")));
  for (const x of [-40, 130, 300, 470])
    canvas.fill(
      [
        [x + 30, HORIZON + 14],
        [x + 34, HORIZON + 14],
        [x + 4, HEIGHT],
        [x - 6, HEIGHT],
      ],
      plain(WHITE),
      0.35,
    );
};

/** Paint that is lighter above and darker below. */
const shaded = (colour: Colour): Paint => fading(between(colour, WHITE, 0.22), between(colour, BLACK, 0.3));

const drawWheel = (canvas: Canvas, centre: Point, radius: number): void => {
  canvas.fill(ellipse(centre, radius), plain(TYRE));
  canvas.fill(ellipse(centre, radius * 0.68), plain(between(TYRE, RIM, 0.25)));
  const [x, y] = centre;
  for (let spoke = 0; spoke < SPOKES; spoke++) {
    const angle = ((spoke + 0.25) / SPOKES) * 2 * Math.PI;
    const end: Point = [x + Math.cos(angle) * radius * 0.64, y + Math.sin(angle) * radius * 0.64];
    canvas.fill(line(centre, end, radius * 0.2), plain(RIM));
  }
  for (const [outer, colour] of [
    [0.2, RIM],
    [0.1, between(TYRE, RIM, 0.4)],
  ] as const)
    canvas.fill(ellipse(centre, radius * outer), plain(colour));
};

/** A car on the lot, from its left side. */
export const drawOutside = (canvas: Canvas, kind: Kind, colour: Colour): void => {
  drawLot(canvas);
  const left = (WIDTH - kind.length) / 2;
  const at = ([x, y]: Point): Point => [left + x, GROUND - y];
  const placed = (points: readonly Point[]): Point[] => points.map(at);
  const { radius, length } = kind;
  canvas.fill(ellipse(at([length / 2, 0]), length * 0.52, 10), plain(BLACK), 0.2);
  canvas.fill(ellipse(at([length / 2, 2]), length * 0.47, 6), plain(BLACK), 0.35);
  const paint = shaded(colour);
  canvas.fill(rounded(placed(kind.cabin), 18), plain(paint(0.1)));
  canvas.fill(rounded(placed(kind.body), 14), paint);
  // Light on the shoulder, and the dark sill.
  const [top, bottom] = [Math.max(...kind.body.map(([, y]) => y)), Math.min(...kind.body.map(([, y]) => y))];
  canvas.fill(
    rounded(
      placed([
        [26, top - 24],
        [length - 16, top - 18],
        [length - 16, top - 24],
        [26, top - 29],
      ]),
      3,
    ),
    plain(WHITE),
    0.3,
  );
  canvas.fill(
    rounded(
      placed([
        [10, bottom],
        [length - 10, bottom],
        [length - 12, bottom + 9],
        [12, bottom + 9],
      ]),
      4,
    ),
    plain(BLACK),
    0.55,
  );
  for (const window of kind.windows) {
    canvas.fill(rounded(placed(window), 7), GLASS);
    const [[x, y] = [0, 0], , ,] = window;
    canvas.fill(
      placed([
        [x + 26, y + 2],
        [x + 36, y + 2],
        [x + 52, y + 26],
        [x + 42, y + 26],
      ]),
      plain(WHITE),
      0.12,
    );
  }
  for (const [from, to] of kind.joints) canvas.fill(line(at(from), at(to), 1.6), plain(BLACK), 0.35);
  for (const [x, y] of kind.handles)
    canvas.fill(
      rounded(
        placed([
          [x, y],
          [x + 18, y],
          [x + 18, y - 5],
          [x, y - 5],
        ]),
        2,
      ),
      plain(BLACK),
      0.4,
    );
  const [front, rear] = kind.lights;
  canvas.fill(
    rounded(
      placed([
        [5, front],
        [34, front + 6],
        [30, front - 5],
        [4, front - 9],
      ]),
      4,
    ),
    plain(HEADLIGHT),
  );
  canvas.fill(
    rounded(
      placed([
        [length - 26, rear],
        [length - 3, rear - 2],
        [length - 1, rear - 16],
        [length - 14, rear - 12],
      ]),
      4,
    ),
    plain(TAIL_LIGHT),
  );
  for (const x of kind.wheels) {
    canvas.fill(ellipse(at([x, radius + 1]), radius + 6), plain(colourOf("#121417")));
    drawWheel(canvas, at([x, radius]), radius);
  }
};

/** The middle of a kind's front wheel in the picture of its outside. */
export const frontWheelOf = (kind: Kind): Point => [(WIDTH - kind.length) / 2 + kind.wheels[0], GROUND - kind.radius];
