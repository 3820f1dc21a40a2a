import { text } from "../schema.ts";

const MAX_ID_LENGTH = 100;

/** The id of a change, as a parameter. */
export const changeId = (description: string) => text(1, MAX_ID_LENGTH, { description, examples: ["import-4"] });
