/** Begins the stored word of a stock number's end. It is no letter or digit, so no word of a text begins with it. */
const MARK = "§";
/** No query is longer. */
const MAX_LENGTH = 200;

const ANY_DIGIT = /\p{N}/u;
/** Two digits are the end of every hundredth stock number. */
const TWO_DIGITS = /^\p{N}{2}$/u;
const FEWEST = 3;

const backwards = (text: string): string => [...text].reverse().slice(0, MAX_LENGTH).join("");

/**
 * The word under which the end of a stock number is stored: its folded letters and digits backwards, so that what ends
 * the number begins the word. A vehicle without a stock number has the mark alone.
 */
export const endWord = (lettersAndDigits: string): string => `${MARK}${backwards(lettersAndDigits)}`;

/**
 * How the stored words begin that have the ends of stock numbers. An earlier version did not store them: words that
 * begin in another way are made anew.
 */
export const WORDS_WITH_ENDS = ` ${MARK}`;

/**
 * What the word of a stock number begins with that ends with a searched word; `null` if the word is not looked for at the
 * end. Words of three or more characters with a digit are, and two digits if they do not stand alone.
 */
export const searchedEnd = (word: string, { isAlone }: { readonly isAlone: boolean }): string | null => {
  const isLong = ANY_DIGIT.test(word) && [...word].length >= FEWEST;
  return isLong || (!isAlone && TWO_DIGITS.test(word)) ? endWord(word) : null;
};
