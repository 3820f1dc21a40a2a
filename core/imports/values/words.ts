import { STAGES, STATUSES, type Stage, type Status } from "../../vehicles/fields.ts";
import { foldHeading } from "../headings/fold-heading.ts";
import { type CellReading, invalidCell, isTooLong, quoted, valueRead } from "./reading.ts";

/**
 * Words that the trade uses for each status, in folded form. The names of its stages are accepted, too. docs/imports.md
 * shows them.
 */
export const STATUS_WORDS: Readonly<Record<Status, readonly string[]>> = {
  available: [
    ...["instock", "live", "active", "forsale", "onlot", "frontline", "readyforsale", "verfugbar", "imbestand"],
    ...["disponible", "enstock", "envente", "enventa", "disponibile", "invendita"],
  ],
  pending: [
    ...["hold", "held", "deposit", "reserved", "salepending", "dealpending", "pendingsale", "underdeposit"],
    ...["deposittaken", "reserviert", "angezahlt", "reserve", "reservee", "reservado", "reservada", "riservato"],
    ...["riservata", "prenotato", "prenotata"],
  ],
  sold: ["retailed", "verkauft", "vendu", "vendue", "vendido", "vendida", "venduto", "venduta"],
};

/** Words for the condition of a vehicle, in folded form. Any other text is kept as it is. */
export const CONDITION_WORDS: Readonly<Record<string, readonly string[]>> = {
  new: ["new", "n", "neu", "neuwagen", "neuf", "neuve", "nuevo", "nueva", "nuovo", "nuova"],
  used: [
    ...["used", "u", "preowned", "usedvehicle", "gebraucht", "gebrauchtwagen", "occasion", "doccasion"],
    ...["usado", "usada", "segundamano", "usato", "usata"],
  ],
  certified: ["certified", "c", "cpo", "certifiedpreowned", "certifiedused"],
};

/** Words for yes and no, in folded form. */
export const FLAG_WORDS: Readonly<Record<"yes" | "no", readonly string[]>> = {
  yes: ["yes", "y", "true", "t", "1", "x", "ja", "oui", "si"],
  no: ["no", "n", "false", "f", "0", "nein", "non"],
};

const byWord = <Value extends string>(words: Readonly<Record<Value, readonly string[]>>): ReadonlyMap<string, Value> =>
  new Map((Object.keys(words) as Value[]).flatMap((value) => words[value].map((word) => [word, value] as const)));

const STATUS_OF: ReadonlyMap<string, Status> = new Map([
  ...byWord(STATUS_WORDS),
  ...STATUSES.flatMap((status) =>
    [status, ...STAGES[status]].map((word): [string, Status] => [foldHeading(word), status]),
  ),
]);
const STAGE_OF: ReadonlyMap<string, Stage> = new Map(
  Object.values(STAGES).flatMap((stages: readonly Stage[]) =>
    stages.map((stage) => [foldHeading(stage), stage] as const),
  ),
);
const CONDITION_OF = byWord(CONDITION_WORDS);
const FLAG_OF = byWord(FLAG_WORDS);

/** The value of a word in any spelling. The exact spelling is tried first, because folding is slow. */
const valueOfWord = <Value>(values: ReadonlyMap<string, Value>, text: string): Value | undefined =>
  values.get(text) ?? (isTooLong(text) ? undefined : values.get(foldHeading(text)));

/** A status, given by one of the trade's words. */
export const statusIn = (text: string): CellReading<Status> => {
  const status = valueOfWord(STATUS_OF, text);
  return status === undefined
    ? invalidCell("status_unknown", `${quoted(text)} is not a known status; it must mean ${STATUSES.join(", ")}`)
    : valueRead(status);
};

/** A stage, given by its name in any spelling. */
export const stageIn = (text: string): CellReading<Stage> => {
  const stage = valueOfWord(STAGE_OF, text);
  return stage === undefined ? invalidCell("stage_unknown", `${quoted(text)} is not a known stage`) : valueRead(stage);
};

/** Reads yes or no. */
export const flagIn = (text: string): CellReading<boolean> => {
  const flag = valueOfWord(FLAG_OF, text);
  return flag === undefined
    ? invalidCell("not_a_flag", `${quoted(text)} is neither yes nor no`)
    : valueRead(flag === "yes");
};

/** A word for the condition; `undefined` for other texts. */
export const conditionWord = (text: string): string | undefined => valueOfWord(CONDITION_OF, text);

const CERTIFIED = /(?<![\p{L}\p{N}])(?:certified|cpo)(?![\p{L}\p{N}])/iu;
const NOT_CERTIFIED = /(?<![\p{L}\p{N}])(?:not?|non)(?![\p{L}\p{N}])|(?:un|non)certified/iu;

/** What a text says about whether a vehicle is certified. */
export const certifiedIn = (text: string): CellReading<boolean> => {
  if (isTooLong(text)) return flagIn(text);
  if (NOT_CERTIFIED.test(text)) return valueRead(false);
  return CERTIFIED.test(text) || conditionWord(text) === "certified" ? valueRead(true) : flagIn(text);
};
