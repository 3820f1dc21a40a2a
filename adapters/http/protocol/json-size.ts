import { Issues } from "../../../core/issues.ts";
import { invalidInput, type Problem } from "./problem.ts";

/** The maximum number of members in most bodies. Parsing many different names is slow. */
export const MAX_MEMBERS = 1000;
/** The maximum number of names that an error lists. */
const MAX_NAMED = 50;
/** The maximum number of values. The longest list that the service accepts has fewer. */
const MAX_VALUES = 20_000;

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;
const OPENING = new Set([91, 123]);
const CLOSING = new Set([93, 125]);

/** True if a character occurs at most `most` times in a text. */
const occursAtMost = (text: string, character: string, most: number): boolean => {
  let left = most;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) if (--left < 0) return false;
  return true;
};

/** The number of values and of members in a JSON text, and its first member names as they are written. */
const measure = (json: string) => {
  const names: string[] = [];
  let values = 1;
  let members = 0;
  let depth = 0;
  let start = 0;
  let end = 0;
  for (let index = 0; index < json.length; index++) {
    const character = json.charCodeAt(index);
    if (character === QUOTE) {
      start = index;
      for (index++; index < json.length && json.charCodeAt(index) !== QUOTE; index++)
        if (json.charCodeAt(index) === BACKSLASH) index++;
      end = index + 1;
    } else if (character === COMMA) values++;
    else if (character === COLON) {
      members++;
      if (depth === 1 && names.length < MAX_NAMED) names.push(json.slice(start, end));
    } else if (OPENING.has(character)) depth++;
    else if (CLOSING.has(character)) depth--;
  }
  return { names, values, members };
};

/** The name of a member without its quotes and escapes. */
const unquoted = (name: string): string => {
  try {
    return String(JSON.parse(name));
  } catch {
    return name;
  }
};

/**
 * The problem with a JSON text that has more members or values than any accepted body; `null` if there is none. The
 * text is not parsed, as a large body of different names would block the service.
 */
export const tooManyParts = (json: string, maxMembers = MAX_MEMBERS): Problem | null => {
  if (occursAtMost(json, ":", maxMembers) && occursAtMost(json, ",", MAX_VALUES - 1)) return null;
  const { names, values, members } = measure(json);
  if (members <= maxMembers && values <= MAX_VALUES) return null;
  const issues = new Issues();
  if (members > maxMembers)
    for (const name of names) issues.add(unquoted(name), `is one of ${members} fields; a body has up to ${maxMembers}`);
  if (issues.list.length > 0) return invalidInput(issues.list, members - issues.list.length);
  return invalidInput([{ path: "", message: `the body has up to ${maxMembers} fields and ${MAX_VALUES} values` }]);
};
