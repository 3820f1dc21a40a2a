import type { Point } from "./canvas.ts";

const CURVE_STEPS = 6;
const CIRCLE_STEPS = 48;

/** A rectangle with this corner at the top left. */
export const box = ([left, top]: Point, width: number, height: number): Point[] => [
  [left, top],
  [left + width, top],
  [left + width, top + height],
  [left, top + height],
];

/** An ellipse; a circle if the second radius is left out. */
export const ellipse = ([x, y]: Point, radius: number, second = radius): Point[] =>
  Array.from({ length: CIRCLE_STEPS }, (_, step): Point => {
    const angle = (step / CIRCLE_STEPS) * 2 * Math.PI;
    return [x + Math.cos(angle) * radius, y + Math.sin(angle) * second];
  });

const towards = ([x, y]: Point, [toX, toY]: Point, distance: number): Point => {
  const length = Math.hypot(toX - x, toY - y);
  const share = length === 0 ? 0 : Math.min(0.5, distance / length);
  return [x + (toX - x) * share, y + (toY - y) * share];
};

/** The shape with these corners, each rounded. */
export const rounded = (corners: readonly Point[], radius: number): Point[] =>
  corners.flatMap((corner, at) => {
    const from = towards(corner, corners.at(at - 1) ?? corner, radius);
    const to = towards(corner, corners[(at + 1) % corners.length] ?? corner, radius);
    return Array.from({ length: CURVE_STEPS + 1 }, (_, step): Point => {
      const t = step / CURVE_STEPS;
      const [a, b, c] = [(1 - t) ** 2, 2 * t * (1 - t), t ** 2];
      return [a * from[0] + b * corner[0] + c * to[0], a * from[1] + b * corner[1] + c * to[1]];
    });
  });

/** A line of this width. */
export const line = ([x1, y1]: Point, [x2, y2]: Point, width: number): Point[] => {
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [dx, dy] = [((y2 - y1) / length) * (width / 2), ((x2 - x1) / length) * (width / 2)];
  return [
    [x1 + dx, y1 - dy],
    [x2 + dx, y2 - dy],
    [x2 - dx, y2 + dy],
    [x1 - dx, y1 + dy],
  ];
};
