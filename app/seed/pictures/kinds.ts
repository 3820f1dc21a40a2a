import type { Point } from "./canvas.ts";

/** A kind of car as it is drawn from the side: its front is on the left, and heights are above the ground. */
export interface Kind {
  readonly length: number;
  /** Its outline without the cabin, and the cabin. */
  readonly body: readonly Point[];
  readonly cabin: readonly Point[];
  readonly windows: readonly (readonly Point[])[];
  /** The ends of the joints of its doors, from above to below. */
  readonly joints: readonly (readonly [Point, Point])[];
  readonly handles: readonly Point[];
  readonly wheels: readonly [front: number, rear: number];
  readonly radius: number;
  /** The heights of the lights. */
  readonly lights: readonly [front: number, rear: number];
}

// biome-ignore format: coordinates are read as a table
export const KINDS = {
  sedan: {
    length: 372,
    body: [[6, 22], [0, 40], [4, 60], [20, 70], [108, 82], [306, 86], [362, 80], [371, 62], [372, 40], [364, 22]],
    cabin: [[98, 78], [150, 122], [172, 127], [232, 127], [256, 121], [318, 80]],
    windows: [[[116, 84], [156, 117], [202, 121], [202, 86]], [[209, 86], [209, 121], [234, 120], [252, 115], [292, 87]]],
    joints: [[[128, 84], [132, 28]], [[206, 86], [206, 28]], [[276, 86], [256, 34]]],
    handles: [[184, 74], [258, 75]],
    wheels: [74, 294], radius: 31, lights: [62, 72],
  },
  hatchback: {
    length: 326,
    body: [[6, 22], [0, 42], [4, 62], [18, 72], [92, 86], [296, 96], [318, 88], [325, 62], [326, 40], [318, 22]],
    cabin: [[82, 82], [132, 128], [152, 134], [254, 132], [282, 124], [316, 88]],
    windows: [[[100, 88], [138, 122], [186, 127], [186, 91]], [[193, 91], [193, 127], [250, 125], [268, 118], [280, 96]]],
    joints: [[[112, 88], [116, 28]], [[190, 91], [190, 28]], [[258, 95], [236, 36]]],
    handles: [[168, 80], [240, 83]],
    wheels: [66, 256], radius: 31, lights: [64, 80],
  },
  coupe: {
    length: 366,
    body: [[6, 20], [0, 36], [4, 54], [20, 63], [118, 76], [316, 82], [356, 78], [365, 60], [366, 38], [358, 20]],
    cabin: [[108, 73], [168, 110], [190, 114], [226, 113], [262, 104], [324, 79]],
    windows: [[[126, 78], [172, 106], [214, 108], [250, 100], [288, 82]]],
    joints: [[[134, 78], [140, 26]], [[232, 82], [234, 26]]],
    handles: [[214, 70]],
    wheels: [74, 288], radius: 32, lights: [56, 68],
  },
  suv: {
    length: 368,
    body: [[8, 30], [0, 48], [3, 78], [16, 90], [98, 100], [350, 104], [362, 96], [367, 70], [368, 46], [360, 30]],
    cabin: [[88, 97], [132, 146], [152, 152], [310, 151], [340, 143], [358, 98]],
    windows: [[[106, 103], [138, 140], [186, 144], [186, 104]], [[193, 104], [193, 144], [256, 144], [256, 105]], [[263, 105], [263, 144], [306, 143], [326, 136], [338, 105]]],
    joints: [[[116, 102], [120, 36]], [[190, 104], [190, 36]], [[260, 105], [252, 42]]],
    handles: [[168, 92], [238, 93]],
    wheels: [72, 290], radius: 36, lights: [78, 92],
  },
  pickup: {
    length: 404,
    body: [[8, 32], [0, 50], [2, 84], [14, 94], [96, 102], [398, 102], [403, 92], [404, 48], [396, 32]],
    cabin: [[86, 98], [124, 146], [142, 152], [224, 151], [240, 143], [246, 98]],
    windows: [[[102, 104], [130, 140], [170, 144], [170, 104]], [[177, 104], [177, 144], [222, 143], [232, 137], [236, 104]]],
    joints: [[[112, 102], [114, 38]], [[174, 104], [174, 38]], [[246, 102], [246, 38]]],
    handles: [[154, 92], [228, 92]],
    wheels: [76, 322], radius: 37, lights: [82, 86],
  },
  van: {
    length: 380,
    body: [[8, 24], [0, 44], [4, 68], [18, 80], [72, 94], [356, 104], [372, 96], [379, 68], [380, 42], [370, 24]],
    cabin: [[56, 88], [128, 148], [152, 155], [330, 152], [356, 144], [374, 96]],
    windows: [[[84, 95], [136, 141], [176, 147], [176, 98]], [[183, 98], [183, 147], [264, 147], [264, 101]], [[271, 101], [271, 147], [326, 145], [344, 138], [356, 104]]],
    joints: [[[96, 94], [100, 30]], [[180, 98], [180, 30]], [[268, 101], [262, 36]]],
    handles: [[160, 86], [250, 89]],
    wheels: [70, 300], radius: 32, lights: [72, 92],
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type KindName = keyof typeof KINDS;

/** The kind as which the vehicles of a body style are drawn. */
const KIND_OF_STYLE: Readonly<Record<string, KindName>> = {
  hatchback: "hatchback",
  wagon: "hatchback",
  coupe: "coupe",
  convertible: "coupe",
  SUV: "suv",
  truck: "pickup",
  minivan: "van",
};

/** The kind as which a vehicle is drawn. */
export const kindOf = (bodyStyle: string | null): KindName => KIND_OF_STYLE[bodyStyle ?? ""] ?? "sedan";
