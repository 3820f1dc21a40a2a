/** A condition in SQL text: its position, and the replacement that admits every row (after OR: none). */
interface SqlCondition {
  readonly start: number;
  readonly end: number;
  readonly neutral: "1 = 1" | "1 = 0";
}

const KEYWORD = /\b(WHERE|AND|OR|ON)\s+/g;
const STOP = /\b(?:AND|OR|UNION|ORDER|GROUP|LIMIT|RETURNING|JOIN|WHERE|SET)\b|;/y;
const COMPARISON = /[=<>]|\b(?:IN|IS|LIKE|EXISTS)\b/;

/** The end of the condition that begins at `start`: the next keyword, or the enclosing parenthesis. */
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

/** Every condition in SQL text, including nested ones. Values must be masked by text without spaces. */
export const sqlConditions = (text: string): SqlCondition[] =>
  [...text.matchAll(KEYWORD)].flatMap(({ index, 0: { length }, 1: keyword }) => {
    const start = index + length;
    const end = start + text.slice(start, endOf(text, start)).trimEnd().length;
    if (!COMPARISON.test(text.slice(start, end))) return [];
    return [{ start, end, neutral: keyword === "OR" ? "1 = 0" : "1 = 1" } as const];
  });
