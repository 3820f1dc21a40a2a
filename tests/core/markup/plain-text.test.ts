import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { plainText, withoutLinks } from "../../../core/markup/plain-text.ts";

// [what is written, what a person reads].
const TEXTS: readonly (readonly [written: string, plain: string])[] = [
  ["<p>Nice&nbsp;car &amp; clean</p><ul><li>Sunroof</li><li>Leather</li></ul>", "Nice car & clean\nSunroof\nLeather"],
  ['See <a href="https://x.example.com/a">here</a> for more', "See here for more"],
  ["Price &lt; market &#8211; call &quot;now&quot;<br>Today", 'Price < market – call "now"\nToday'],
  ["5 < 6 and 7 > 3", "5 < 6 and 7 > 3"],
  ["under <20000 km, <market price>", "under <20000 km, <market price>"],
  ["a <b and c> d", "a <b and c> d"],
  ["Citro&euml;n, &Eacute;tat, &#xe9;, &#146;s, &euro;", "Citroën, État, é, ’s, €"],
  ["R&D, AT&T, &unknown;, A&B", "R&D, AT&T, &unknown;, A&B"],
  ["&lt;b&gt;Bold&lt;/b&gt; &amp;nbsp;and", "Bold and"],
  ["One<br>\nTwo<BR/><br />Three", "One\nTwo\n\nThree"],
  ["<p>One</p>\n\n\n<p>Two</p>", "One\n\nTwo"],
  ["<b>Bold</b> and <o:p></o:p><font color='a>b'>red</font>", "Bold and red"],
  ["<table><tr><td>Seats</td><td>5</td></tr><tr><td>Doors</td></tr></table>", "Seats 5\nDoors"],
  ["<style>p { color: red }</style><script>if (a<b) x()</script>Car<!-- hidden <b> --> clean", "Car clean"],
  ["<![CDATA[<b>Clean</b>]]>", "Clean"],
  ["Write to <sales@example.com>", "Write to <sales@example.com>"],
  ["an open <a href=", "an open <a href="],
  ["two  blanks\n\n\nand lines", "two  blanks\n\n\nand lines"],
  ["&#0;&#xD800;&#x110000;&shy;x", "\uFFFD\uFFFDx"],
];

const LINKED: readonly (readonly [written: string, without: string])[] = [
  ["See https://x.example.com/a?b=1, then call.", "See, then call."],
  ["Photos (www.example.com/1) and <https://x.example.com> more", "Photos and more"],
  ["No link: e.g. 5 (five)", "No link: e.g. 5 (five)"],
];

/** Pieces of which texts for a page, and attacks on those who read them, are made. */
const PIECES = [
  "<",
  ">",
  "</",
  "<a =",
  '"',
  "'",
  "&",
  "&#",
  ";",
  "amp",
  "<!--",
  "-->",
  "<script>",
  "\n",
  " ",
  "p",
  "b>",
];

describe("a text with markup", () => {
  for (const [written, plain] of TEXTS)
    test(`is read as a browser shows it: ${JSON.stringify(written.slice(0, 40))}`, () => {
      expect(plainText(written)).toBe(plain);
    });

  test("has no tag of HTML when it was read, whatever it was made of", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }), (pieces) => {
        const read = plainText(`<b>${pieces.join("")}`);
        expect(read.startsWith("<b>")).toBe(false);
        expect(plainText(pieces.join("").replaceAll(/[<&]/g, ""))).toBe(pieces.join("").replaceAll(/[<&]/g, ""));
      }),
    );
  });

  test("loses its links whole, and keeps the signs around them", () => {
    for (const [written, without] of LINKED) expect(withoutLinks(written)).toBe(without);
  });
});
