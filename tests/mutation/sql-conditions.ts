/** A condition in a piece of SQL: where it stands, and what makes it admit every row (after OR: none). */
interface SqlCondition {
  readonly start: number;
  readonly end: number;
  readonly neutral: "1 = 1" | "1 = 0";
}

const KEYWORD = /\b(WHERE|AND|OR|ON)\s+/g;
const STOP = /\b(?:AND|OR|UNION|ORDER|GROUP|LIMIT|RETURNING|JOIN|WHERE|SET)\b|;/y;
const COMPARISON = /[=<>]|\b(?:IN|IS|LIKE|EXISTS)\b/;

/** The end of the condition that begins at `start`: before the next keyword, or the parenthesis that encloses it. */
const endOf = (text: string, start: number): number => {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === "(") depth++;
    if (character === ")" && depth-- === 0) return at;
    STOP.lastIndex = at;
    if (depth === 0 && STOP.test(text)) return at;
  }
  return text.length;
};

/** Every condition of a piece of SQL, nested ones as well. Values in it must be masked by something without spaces. */
export const sqlConditions = (text: string): SqlCondition[] =>
  [...text.matchAll(KEYWORD)].flatMap(({ index, 0: { length }, 1: keyword }) => {
    const start = index + length;
    const end = start + text.slice(start, endOf(text, start)).trimEnd().length;
    if (!COMPARISON.test(text.slice(start, end))) return [];
    return [{ start, end, neutral: keyword === "OR" ? "1 = 0" : "1 = 1" } as const];
  });
