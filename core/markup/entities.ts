/**
 * The characters that HTML names, as `name code` in pairs: those of HTML 4, and a few of HTML 5 that editors write.
 * Those of Latin-1 stand in LATIN, in the order of their codes from 160 on.
 */
const LATIN =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml";
const FIRST_LATIN = 160;

const OTHERS =
  "quot 34 amp 38 apos 39 lt 60 gt 62 OElig 338 oelig 339 Scaron 352 scaron 353 Yuml 376 fnof 402 circ 710 tilde 732 Alpha 913 Beta 914 Gamma 915 Delta 916 Omega 937 alpha 945 beta 946 gamma 947 delta 948 epsilon 949 lambda 955 mu 956 pi 960 sigma 963 omega 969 ensp 8194 emsp 8195 thinsp 8201 zwnj 8204 zwj 8205 lrm 8206 rlm 8207 ndash 8211 mdash 8212 lsquo 8216 rsquo 8217 sbquo 8218 ldquo 8220 rdquo 8221 bdquo 8222 dagger 8224 Dagger 8225 bull 8226 hellip 8230 permil 8240 prime 8242 Prime 8243 lsaquo 8249 rsaquo 8250 frasl 8260 euro 8364 trade 8482 larr 8592 uarr 8593 rarr 8594 darr 8595 harr 8596 rArr 8658 minus 8722 radic 8730 infin 8734 asymp 8776 ne 8800 le 8804 ge 8805 loz 9674 spades 9824 clubs 9827 hearts 9829 diams 9830 check 10003 star 9734 starf 9733 excl 33 num 35 dollar 36 percnt 37 lpar 40 rpar 41 ast 42 plus 43 comma 44 hyphen 8208 period 46 sol 47 colon 58 semi 59 equals 61 quest 63 commat 64 lsqb 91 rsqb 93 lowbar 95 grave 96 verbar 124 vert 124 frac13 8531 frac23 8532 frac18 8539 frac38 8540 frac58 8541 frac78 8542 Tab 9 NewLine 10";

const CODES: ReadonlyMap<string, number> = new Map([
  ...LATIN.split(" ").map((name, index): [string, number] => [name, FIRST_LATIN + index]),
  ...Array.from(OTHERS.matchAll(/(\S{1,20}) (\d{1,6})/g), ([, name = "", code]): [string, number] => [
    name,
    Number(code),
  ]),
]);

/** What the codes 128 to 159 mean in Windows-1252, which browsers take them for; 0 for none. */
const WINDOWS = [
  8364, 0, 8218, 402, 8222, 8230, 8224, 8225, 710, 8240, 352, 8249, 338, 0, 381, 0, 0, 8216, 8217, 8220, 8221, 8226,
  8211, 8212, 732, 8482, 353, 8250, 339, 0, 382, 376,
];
const FIRST_WINDOWS = 128;

const SPACES: ReadonlySet<number> = new Set([160, 8194, 8195, 8201, 8239, 12_288]);
const INVISIBLE: ReadonlySet<number> = new Set([0, 173, 8203, 8204, 8205, 8206, 8207, 65_279]);
const LAST_CODE = 0x10_ff_ff;
const FIRST_SURROGATE = 0xd8_00;
const LAST_SURROGATE = 0xdf_ff;
const REPLACEMENT = "\uFFFD";

const characterOf = (code: number): string => {
  if (SPACES.has(code)) return " ";
  if (INVISIBLE.has(code)) return "";
  const meant = WINDOWS[code - FIRST_WINDOWS] || code;
  return meant > LAST_CODE || (meant >= FIRST_SURROGATE && meant <= LAST_SURROGATE)
    ? REPLACEMENT
    : String.fromCodePoint(meant);
};

/** A name or a number. The five that browsers also take without a semicolon must not be followed by more letters. */
const ENTITY = /&(?:#x([0-9a-f]{1,8});?|#(\d{1,8});?|([a-z][a-z0-9]{1,9});|(nbsp|amp|lt|gt|quot)(?![a-z0-9=]))/gi;

/** The text with each entity of HTML as its character. Blanks that do not break are blanks; unknown names stay. */
export const withoutEntities = (text: string): string =>
  text.includes("&")
    ? text.replace(ENTITY, (written, ...groups: (string | undefined)[]) => {
        const [hex, decimal, name, bare] = groups;
        if (hex !== undefined) return characterOf(Number.parseInt(hex, 16));
        if (decimal !== undefined) return characterOf(Number(decimal));
        const known = name ?? bare ?? "";
        const code = CODES.get(known) ?? CODES.get(known.toLowerCase());
        return code === undefined ? written : characterOf(code);
      })
    : text;
