const OTHERS = /[\u007f-\uffff]/g;
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** A text as JSON that has only printable ASCII characters, so that it cannot end a line. */
export const asciiJson = (text: string): string =>
  PLAIN.test(text) ? `"${text}"` : JSON.stringify(text).replaceAll(OTHERS, escaped);
