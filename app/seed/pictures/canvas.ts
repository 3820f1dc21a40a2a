/** Red, green and blue, each from 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number];

/** A colour that may change from the top of a shape (0) to its bottom (1). */
export type Paint = (down: number) => Colour;

/** A point, in the units of a picture. */
export type Point = readonly [x: number, y: number];

const SAMPLES = 4;
const OPAQUE = 1;
/** The bytes of a pixel: red, green and blue. */
export const BYTES_OF_PIXEL = 3;

/** The colour that a text such as `#8d9299` names. */
export const colourOf = (text: string): Colour => {
  const number = Number.parseInt(text.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
};

/** A colour between two others. */
export const between = (one: Colour, other: Colour, share: number): Colour => [
  one[0] + (other[0] - one[0]) * share,
  one[1] + (other[1] - one[1]) * share,
  one[2] + (other[2] - one[2]) * share,
];

/** The same colour everywhere. */
export const plain =
  (colour: Colour): Paint =>
  () =>
    colour;

/** From one colour above to another below. */
export const fading =
  (top: Colour, bottom: Colour): Paint =>
  (down) =>
    between(top, bottom, down);

/** What is covered by less is not: sums of fractions are hardly ever 0. */
const LEAST = 0.002;
const mixed = (before: number, after: number, share: number): number => before + (after - before) * share;

/** A part of a larger picture: `scale` times as large, with the point `left`, `top` in its corner. */
interface View {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
}

/** A picture that is drawn shape by shape, with smooth edges. */
export class Canvas {
  readonly pixels: Uint8Array;
  private readonly changes: Float64Array;

  constructor(
    readonly width: number,
    readonly height: number,
    private readonly view: View = { scale: 1, left: 0, top: 0 },
  ) {
    this.pixels = new Uint8Array(width * height * BYTES_OF_PIXEL);
    this.changes = new Float64Array(width + 2);
  }

  /** Fills the shape with these corners. */
  fill(corners: readonly Point[], paint: Paint, opacity = OPAQUE): void {
    const { scale, left, top } = this.view;
    const shape = corners.map(([x, y]): Point => [(x - left) * scale, (y - top) * scale]);
    const ys = shape.map(([, y]) => y);
    const [above, below] = [Math.min(...ys), Math.max(...ys)];
    const first = Math.max(0, Math.floor(above));
    const last = Math.min(this.height - 1, Math.ceil(below));
    const xs = shape.map(([x]) => x);
    const from = Math.max(0, Math.floor(Math.min(...xs)));
    const to = Math.min(this.width, Math.ceil(Math.max(...xs)));
    for (let row = first; row <= last; row++) {
      this.changes.fill(0, from, to + 2);
      for (let sample = 0; sample < SAMPLES; sample++) this.cover(shape, row + (sample + 0.5) / SAMPLES);
      const down = Math.min(1, Math.max(0, (row - above) / Math.max(1, below - above)));
      this.blend(row, { from, to, opacity }, paint(down));
    }
  }

  /** Adds the parts of a line that are within a shape to what is covered. */
  private cover(shape: readonly Point[], y: number): void {
    const crossings: number[] = [];
    for (let at = 0; at < shape.length; at++) {
      const [x1, y1] = shape[at] ?? [0, 0];
      const [x2, y2] = shape[(at + 1) % shape.length] ?? [0, 0];
      if (y1 <= y !== y2 <= y) crossings.push(x1 + ((y - y1) / (y2 - y1)) * (x2 - x1));
    }
    crossings.sort((one, other) => one - other);
    for (let at = 0; at + 1 < crossings.length; at += 2)
      this.coverSpan(Math.max(0, crossings[at] ?? 0), Math.min(this.width, crossings[at + 1] ?? 0));
  }

  /** Notes where the covered share of a line changes; `blend` adds the changes up. */
  private coverSpan(from: number, to: number): void {
    if (to <= from) return;
    this.change(from, 1 / SAMPLES);
    this.change(to, -1 / SAMPLES);
  }

  /** From `x` on, so much more is covered; of the pixel of `x` itself, only its part behind `x`. */
  private change(x: number, by: number): void {
    const pixel = Math.floor(x);
    const rest = x - pixel;
    this.changes[pixel] = (this.changes[pixel] ?? 0) + by * (1 - rest);
    this.changes[pixel + 1] = (this.changes[pixel + 1] ?? 0) + by * rest;
  }

  private blend(
    row: number,
    { from, to, opacity }: { readonly from: number; readonly to: number; readonly opacity: number },
    [red, green, blue]: Colour,
  ): void {
    const { pixels, changes } = this;
    let covered = 0;
    for (let x = from, at = (row * this.width + from) * BYTES_OF_PIXEL; x < to; x++, at += BYTES_OF_PIXEL) {
      covered += changes[x] ?? 0;
      const share = Math.min(1, covered) * opacity;
      if (share < LEAST) continue;
      pixels[at] = mixed(pixels[at] ?? 0, red, share);
      pixels[at + 1] = mixed(pixels[at + 1] ?? 0, green, share);
      pixels[at + 2] = mixed(pixels[at + 2] ?? 0, blue, share);
    }
  }
}
