import { lottery } from "./chance.ts";
import { AMERICAN } from "./makes-american.ts";
import { ASIAN } from "./makes-asian.ts";
import { EUROPEAN } from "./makes-european.ts";
import type { Make } from "./model.ts";

/** Every make that invented vehicles are of. */
export const MAKES: readonly Make[] = [...AMERICAN, ...ASIAN, ...EUROPEAN];

/** A make, drawn by how often its vehicles are seen. */
export const drawMake = lottery(MAKES.map((make) => [make, make.share] as const));
