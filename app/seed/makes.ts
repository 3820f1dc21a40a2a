import { AMERICAN } from "./makes-american.ts";
import { ASIAN } from "./makes-asian.ts";
import { EUROPEAN } from "./makes-european.ts";
import type { Make } from "./model.ts";
import { lottery } from "./random.ts";

/** The makes of invented vehicles. */
export const MAKES: readonly Make[] = [...AMERICAN, ...ASIAN, ...EUROPEAN];

/** Draws a make by its market share. */
export const drawMake = lottery(MAKES.map((make) => [make, make.share] as const));
