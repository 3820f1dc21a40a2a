import { between, type Canvas, type Colour, colourOf, fading, type Point, plain } from "./canvas.ts";
import { box, ellipse, rounded } from "./shapes.ts";

const BLACK = colourOf("#000000");
const WHITE = colourOf("#ffffff");
const DASHBOARD = colourOf("#2b2e33");
const LINING = colourOf("#d6d3cc");

const seat = (canvas: Canvas, left: number, colour: Colour): void => {
  const paint = fading(between(colour, WHITE, 0.16), between(colour, BLACK, 0.25));
  const back: Point[] = [
    [left, 340],
    [left + 8, 196],
    [left + 30, 178],
    [left + 116, 178],
    [left + 138, 196],
    [left + 146, 340],
  ];
  for (const x of [left + 56, left + 82]) canvas.fill(box([x, 168], 6, 16), plain(colourOf("#8a8d91")));
  canvas.fill(
    rounded(
      [
        [left + 42, 128],
        [left + 104, 128],
        [left + 110, 172],
        [left + 36, 172],
      ],
      16,
    ),
    paint,
  );
  canvas.fill(rounded(back, 26), paint);
  canvas.fill(
    rounded(
      [
        [left + 34, 340],
        [left + 40, 206],
        [left + 106, 206],
        [left + 112, 340],
      ],
      18,
    ),
    plain(BLACK),
    0.1,
  );
};

/** The dashboard and the front seats, as one sees them from the rear seats. */
export const drawInside = (canvas: Canvas, colour: Colour): void => {
  canvas.fill(box([0, 0], 480, 320), plain(LINING));
  const pane: Point[] = [
    [58, 34],
    [422, 34],
    [456, 128],
    [24, 128],
  ];
  canvas.fill(rounded(pane, 22), fading(colourOf("#9fc3e0"), colourOf("#e6eef4")));
  canvas.fill(
    [
      [40, 104],
      [150, 92],
      [260, 106],
      [370, 94],
      [446, 106],
      [456, 128],
      [24, 128],
    ],
    plain(colourOf("#a9bda9")),
  );
  canvas.fill(
    rounded(
      [
        [200, 40],
        [280, 40],
        [274, 60],
        [206, 60],
      ],
      8,
    ),
    plain(colourOf("#3a3d42")),
  );
  canvas.fill(
    rounded(
      [
        [-20, 330],
        [-10, 136],
        [60, 112],
        [420, 112],
        [490, 136],
        [500, 330],
      ],
      30,
    ),
    fading(between(DASHBOARD, WHITE, 0.15), between(DASHBOARD, BLACK, 0.5)),
  );
  canvas.fill(rounded(box([192, 120], 96, 52), 8), plain(colourOf("#0d1116")));
  canvas.fill(rounded(box([198, 126], 84, 40), 4), fading(colourOf("#2f6f9a"), colourOf("#17324a")));
  for (const x of [40, 392]) canvas.fill(rounded(box([x, 142], 48, 14), 5), plain(BLACK), 0.6);
  const wheel: Point = [128, 160];
  canvas.fill(ellipse(wheel, 56, 50), plain(colourOf("#16181b")));
  canvas.fill(ellipse(wheel, 45, 40), plain(between(DASHBOARD, WHITE, 0.06)));
  canvas.fill(
    rounded(
      [
        [84, 152],
        [172, 152],
        [166, 168],
        [90, 168],
      ],
      6,
    ),
    plain(colourOf("#1e2023")),
  );
  canvas.fill(ellipse(wheel, 17, 15), plain(colourOf("#2a2d31")));
  canvas.fill(
    rounded(
      [
        [208, 330],
        [214, 188],
        [266, 188],
        [272, 330],
      ],
      12,
    ),
    plain(colourOf("#1d1f22")),
  );
  canvas.fill(ellipse([240, 214], 9), plain(colourOf("#6f747a")));
  for (const left of [46, 288]) seat(canvas, left, colour);
};
