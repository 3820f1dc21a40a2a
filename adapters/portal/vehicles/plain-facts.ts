import { SHORT_FIELDS } from "./vehicle-draft.ts";

/** Fields that a vehicle's page shows elsewhere, or in words of their own. */
const SHOWN_ELSEWHERE = ["status", "make", "model", "year", "price", "mileage", "title"];

/** The fields that a vehicle's facts show as they are, in the order of forms. */
export const PLAIN_FACTS = SHORT_FIELDS.filter((field) => !SHOWN_ELSEWHERE.includes(field));
