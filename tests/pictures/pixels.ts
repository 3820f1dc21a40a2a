import type { Browser as Chromium } from "playwright-core";
import type { Pixels } from "./indexed-png.ts";

const sourceOf = (png: Uint8Array): string => `data:image/png;base64,${Buffer.from(png).toString("base64")}`;

/** Reduces pictures before they are compared, so that the edges of letters do not count. */
const REDUCED = 4;
/** Shades that differ less count as equal. */
const SAME = 24;

// A script as text, because the tests' types do not know the browser's names.
const SCRIPT = `
const bitmapOf = async (source, reduced) => {
  const whole = await createImageBitmap(await (await fetch(source)).blob());
  return createImageBitmap(whole, {
    resizeWidth: Math.ceil(whole.width / reduced),
    resizeHeight: Math.ceil(whole.height / reduced),
    resizeQuality: "high",
  });
};
const dataOf = (image, width, height) => {
  const context = new OffscreenCanvas(width, height).getContext("2d");
  context.drawImage(image, 0, 0);
  return context.getImageData(0, 0, width, height).data;
};
`;

const ask = async <Answer>(chromium: Chromium, work: string): Promise<Answer> => {
  const page = await chromium.newPage();
  try {
    return await page.evaluate<Answer>(`(async () => { ${SCRIPT} ${work} })()`);
  } finally {
    await page.close();
  }
};

/** The pixels of a PNG, decoded by the browser. */
export const pixelsOf = async (chromium: Chromium, png: Uint8Array): Promise<Pixels> => {
  const { width, height, data } = await ask<{ width: number; height: number; data: string }>(
    chromium,
    `const { width, height, ...image } = await (async () => {
      const image = await bitmapOf(${JSON.stringify(sourceOf(png))}, 1);
      return { width: image.width, height: image.height, image };
    })();
    return { width, height, data: new Uint8Array(dataOf(image.image, width, height).buffer).toBase64() };`,
  );
  return { width, height, rgba: Buffer.from(data, "base64") };
};

/** The visibly different share of two pictures, from 0 to 1. Pixels that only one of them has count as different. */
export const difference = (chromium: Chromium, one: Uint8Array, other: Uint8Array): Promise<number> =>
  ask<number>(
    chromium,
    `const [one, other] = await Promise.all([
      bitmapOf(${JSON.stringify(sourceOf(one))}, ${REDUCED}),
      bitmapOf(${JSON.stringify(sourceOf(other))}, ${REDUCED}),
    ]);
    const [width, height] = [Math.max(one.width, other.width), Math.max(one.height, other.height)];
    const [first, second] = [dataOf(one, width, height), dataOf(other, width, height)];
    let differing = 0;
    for (let at = 0; at < first.length; at += 4)
      if ([0, 1, 2, 3].some((channel) => Math.abs(first[at + channel] - second[at + channel]) > ${SAME})) differing++;
    return differing / (width * height);`,
  );
