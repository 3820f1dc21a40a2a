import { Canvas, type Colour, colourOf } from "./canvas.ts";
import { drawInside } from "./inside.ts";
import { KINDS, type KindName } from "./kinds.ts";
import { drawOutside, frontWheelOf } from "./outside.ts";
import { pngOf } from "./png.ts";

const WIDTH = 480;
const HEIGHT = 320;
const CLOSE = 2.6;

/** The paint of each color that invented vehicles have. */
const COLOURS: Readonly<Record<string, string>> = {
  "Oxford White": "#f2f3f1",
  "Pearl White": "#e9e7e0",
  "Midnight Black": "#1d2129",
  "Jet Black": "#16171a",
  "Magnetic Gray": "#5b6168",
  Graphite: "#45494f",
  "Silver Sky": "#b9c0c6",
  "Lunar Silver": "#a7abad",
  "Deep Blue": "#1f3f73",
  "Pacific Blue": "#2f6fa8",
  "Ruby Red": "#8f1626",
  Crimson: "#b01c2e",
  "Forest Green": "#2c5140",
  Sandstone: "#b8a285",
  "Burnt Orange": "#b9551f",
  "Sunburst Yellow": "#e0ae1f",
  Black: "#2a2b2e",
  Ash: "#8b8a86",
  Charcoal: "#46484c",
  Gray: "#7b7e82",
  Beige: "#c4b292",
  "Saddle Brown": "#8a5a34",
  Ivory: "#e4dcc8",
  Red: "#8c2127",
};

const paintOf = (name: string): Colour => colourOf(COLOURS[name] ?? "#8b9197");

/** What is to be seen on a picture. */
export interface Scene {
  readonly view: "outside" | "wheel" | "inside";
  /** Of the car; of no importance for its inside. */
  readonly kind: KindName;
  /** The color of the paint, or of the seats. */
  readonly color: string;
}

/** Draws a picture, as a PNG. */
export const drawn = ({ view, kind, color }: Scene): Buffer => {
  if (view === "inside") {
    const canvas = new Canvas(WIDTH, HEIGHT);
    drawInside(canvas, paintOf(color));
    return pngOf(canvas);
  }
  const [x, y] = frontWheelOf(KINDS[kind]);
  const close = { scale: CLOSE, left: x - WIDTH / CLOSE / 2, top: y - HEIGHT / CLOSE / 2 - 12 };
  const canvas = view === "wheel" ? new Canvas(WIDTH, HEIGHT, close) : new Canvas(WIDTH, HEIGHT);
  drawOutside(canvas, KINDS[kind], paintOf(color));
  return pngOf(canvas);
};
