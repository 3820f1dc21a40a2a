import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { plainCsvLine } from "../../../core/csv.ts";
import { charsetNamed } from "../../../core/imports/file/charset-decoder.ts";
import {
  CHARSETS,
  type Charset,
  DELIMITERS,
  type Delimiter,
  FILE_FORMATS,
  FILE_LIMITS,
  type FileFormat,
} from "../../../core/imports/file/file.ts";
import { readerOf } from "../../../core/imports/file/reader.ts";
import { isFault, scanFile } from "../../../core/imports/file/scan.ts";
import { binaryKindOf, isGzip, isOldWorkbook, isZip } from "../../../core/imports/file/signature.ts";
import { DEEP, inGate } from "../../support/depth.ts";
import { bytesOf, found, piecesOf, rowsOf, scanned, tableOf } from "./reading.ts";

const HEADING = ["VIN", "Make", "Model", "Description"];
const KEYS = ["vin", "make", "model", "description"];

/** Every character of a charset of one byte, by its code. */
const charactersOf = (charset: "windows-1252" | "iso-8859-15"): readonly string[] =>
  Array.from({ length: 256 }, (_, code) => new TextDecoder(charset).decode(Uint8Array.of(code)));

/** Text as bytes of a charset, of which it has only characters. */
const encoded = (text: string, charset: Charset): Uint8Array => {
  if (charset === "utf-8") return bytesOf(text);
  if (charset === "utf-16le" || charset === "utf-16be") {
    const bytes = new Uint8Array(text.length * 2);
    const view = new DataView(bytes.buffer);
    for (let index = 0; index < text.length; index++)
      view.setUint16(2 * index, text.charCodeAt(index), charset === "utf-16le");
    return bytes;
  }
  const characters = charactersOf(charset);
  return Uint8Array.from(text, (character) => characters.indexOf(character));
};

/** Texts that a charset has, with many signs that mean something. */
const texts = (charset: Charset): fc.Arbitrary<string> => {
  const meant = fc.constantFrom(
    '"',
    '""',
    ",",
    ";",
    "\t",
    "|",
    "\n",
    "\r\n",
    "\r",
    " ",
    "<",
    "&",
    "'",
    "=1+1",
    "sep=;",
  );
  const any =
    charset === "windows-1252" || charset === "iso-8859-15"
      ? fc.constantFrom(...charactersOf(charset))
      : fc.string({ unit: "grapheme", maxLength: 8 });
  return fc.array(fc.oneof(meant, any), { maxLength: 12 }).map((parts) => parts.join(""));
};

/** Rows of which none is blank. */
const tables = (charset: Charset): fc.Arbitrary<string[][]> =>
  fc.array(
    fc
      .array(texts(charset), { minLength: HEADING.length, maxLength: HEADING.length })
      .map(([first, ...others]) => [`k${first}`, ...others]),
    { minLength: 1, maxLength: 20 },
  );

const written = (rows: readonly (readonly string[])[], delimiter: Delimiter): string =>
  rows.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter)).join("\r\n");

test("the dates of a column decide its order, also within the formula that keeps them as they are", () => {
  const orderOf = (...days: readonly string[]) =>
    found(["VIN,Make,Model,Price,Listed at", ...days.map((day) => `V1,Ford,Focus,1,${day}`)].join("\n"), {
      format: "csv",
    }).dates;
  const [decided] = orderOf("05/06/2026", "16/10/2026")?.slice(4) ?? [];
  expect(decided).toEqual({ order: "dmy", unclear: "05/06/2026" });
  const quoted = (day: string) => `"=""${day}"""`;
  expect(orderOf(quoted("05/06/2026"), quoted("16/10/2026"))?.slice(4)).toEqual([decided ?? null]);
});

describe("a table that is written and read back", () => {
  for (const charset of CHARSETS)
    for (const delimiter of DELIMITERS)
      test(`is the same in ${charset} with ${JSON.stringify(delimiter)}`, () => {
        fc.assert(
          fc.property(tables(charset), (rows) => {
            const file = encoded(written([HEADING, ...rows], delimiter), charset);
            const layout = found(file, { format: "csv", charset });
            expect(layout).toMatchObject({
              charset,
              delimiter,
              heading: HEADING,
              rows: rows.length,
              bytes: file.length,
            });
            expect(rowsOf(file, layout).map(({ cells }) => [...cells])).toEqual(rows);
          }),
          { numRuns: inGate(12, 40) },
        );
      });

  test("is the same in the format in which failed rows are returned", () => {
    fc.assert(
      fc.property(tables("utf-8"), (rows) => {
        const file = [HEADING, ...rows].map(plainCsvLine).join("");
        expect(tableOf(file, "csv").cells.map((cells) => [...cells])).toEqual(rows);
      }),
      { numRuns: inGate(40, 100) },
    );
  });

  test("is the same as JSON, as NDJSON and as XML", () => {
    const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
    fc.assert(
      fc.property(tables("utf-8"), (rows) => {
        const objects = rows.map((cells) => Object.fromEntries(cells.map((cell, index) => [KEYS[index], cell])));
        const elements = rows.map(
          (cells) =>
            `<car>${cells.map((cell, index) => `<${KEYS[index]}>${escaped(cell)}</${KEYS[index]}>`).join("")}</car>`,
        );
        const read = (file: string, format: FileFormat) => tableOf(file, format).cells.map((cells) => [...cells]);
        expect(read(JSON.stringify(objects, null, 1), "json")).toEqual(rows);
        expect(read(objects.map((each) => JSON.stringify(each)).join("\n"), "ndjson")).toEqual(rows);
        expect(read(`<cars>${elements.join("\n")}<car><vin/></car></cars>`, "xml").slice(0, -1)).toEqual(
          rows.map((cells) => cells.map((cell) => cell.trim())),
        );
      }),
      { numRuns: inGate(40, 100) },
    );
  });
});

/** Files of 150 kB with rows of several lines, in each format. */
const LARGE: Readonly<Record<FileFormat, Uint8Array>> = (() => {
  const rows = Array.from({ length: 1500 }, (_, index) => [
    `K${index}`,
    index % 3 === 0 ? `Citroën "${index}"` : "Škoda",
    index % 7 === 0 ? "two\r\nlines, one\rmore" : "x".repeat(index % 60),
    `é, ${index}; 😀`,
  ]);
  const objects = rows.map((cells) => Object.fromEntries(cells.map((cell, index) => [KEYS[index], cell])));
  const elements = rows.map(
    (cells) => `<car>${cells.map((cell, index) => `<${KEYS[index]}>${cell}</${KEYS[index]}>`).join("\r\n")}</car>`,
  );
  return {
    csv: bytesOf(`\uFEFF\r\n${written([HEADING, ...rows], ",")}`),
    tsv: encoded(`\uFEFF${written([HEADING, ...rows], "\t")}`, "utf-16le"),
    ndjson: bytesOf(objects.map((each) => JSON.stringify(each)).join("\r\n\r\n")),
    json: bytesOf(JSON.stringify(objects, null, 2)),
    xml: bytesOf(`<?xml version="1.0"?><lot><name>A > "B"</name>\n${elements.join("\n")}</lot>`),
  };
})();

const isPlain = (byte: number | undefined): boolean => /^[\w ]$/.test(String.fromCharCode(byte ?? 0));

/**
 * Where the first block of a file may end, which has 64 KiB or more: within what is written for a row. Between two
 * letters one place is like the next; the gate tries the places beside other signs, the deep run all.
 */
const blockEnds = (file: Uint8Array): readonly number[] =>
  Array.from({ length: 80 }, (_, index) => 65_536 + index).filter(
    (size) => DEEP || !isPlain(file[size - 1]) || !isPlain(file[size]),
  );

describe.each(FILE_FORMATS)("a %s file", (format) => {
  const file = LARGE[format];
  const layout = found(file, { format });
  const rows = rowsOf(file, layout);

  test("has all its rows", () => {
    expect([layout.rows, rows.length, rows.at(-1)?.row]).toEqual([1500, 1500, 1500]);
    expect(rows.filter(({ problem }) => problem !== null)).toEqual([]);
  });

  test("has the same rows however it is split into pieces", () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 90_000 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(sizes, (pieces) => {
        expect(found(file, { format }, pieces)).toEqual(layout);
        expect(rowsOf(file, layout, pieces)).toEqual(rows);
      }),
      { numRuns: inGate(5, 15) },
    );
  });

  test("has the same rows wherever one of its blocks ends", () => {
    const start = file.subarray(0, 67_000);
    const whole = rows.filter(({ next }) => next.offset < 66_000);
    for (const size of blockEnds(file))
      expect(rowsOf(start, layout, [size, file.length]).slice(0, whole.length)).toEqual(whole);
  });

  test("can be resumed after any of its rows, with the same remaining rows", () => {
    const indices = fc.integer({ min: 0, max: rows.length - 1 });
    fc.assert(
      fc.property(indices, fc.integer({ min: 1000, max: 90_000 }), (index, size) => {
        const from = structuredClone(rows[index]?.next);
        const reader = readerOf(structuredClone(layout), from);
        const pieces = piecesOf(file.subarray(from?.offset), [size]);
        const rest = [...pieces.flatMap((piece) => [...reader.push(piece)]), ...reader.end()];
        expect(rest).toEqual(rows.slice(index + 1));
      }),
      { numRuns: inGate(5, 15) },
    );
  });
});

describe("the limits of a file", () => {
  const limits = { ...FILE_LIMITS, rows: 3, columns: 3, rowBytes: 40, unpackedBytes: 200, xmlBytes: 150 };
  const FILES: Readonly<Record<FileFormat, (rows: readonly (readonly string[])[]) => string>> = {
    csv: (rows) => ["vin,make,model", ...rows.map((cells) => cells.join(","))].join("\n"),
    tsv: (rows) => ["vin\tmake\tmodel", ...rows.map((cells) => cells.join("\t"))].join("\n"),
    ndjson: (rows) =>
      rows
        .map((cells) => JSON.stringify(Object.fromEntries(cells.map((cell, index) => [KEYS[index], cell]))))
        .join("\n"),
    json: (rows) =>
      JSON.stringify(rows.map((cells) => Object.fromEntries(cells.map((cell, index) => [KEYS[index], cell])))),
    xml: (rows) =>
      `<a>${rows.map((cells) => `<b>${cells.map((cell, index) => `<${"cdef"[index]}>${cell}</${"cdef"[index]}>`).join("")}</b>`).join("")}<x/></a>`,
  };
  const limitOf = (file: string | Uint8Array, format: FileFormat): string | null => {
    const result = scanned(file, { format, limits });
    return isFault(result) ? (result.code === "too_large" ? result.limit : result.code) : null;
  };
  const times = (count: number) => Array.from({ length: count }, (_, index) => [`k${index}`]);

  for (const format of FILE_FORMATS) {
    test(`of ${format} apply to the rows and allow the maximum`, () => {
      expect([limitOf(FILES[format](times(3)), format), limitOf(FILES[format](times(4)), format)]).toEqual([
        null,
        "rows",
      ]);
    });

    test(`of ${format} apply to the bytes of a row and allow the maximum`, () => {
      const row = (length: number) => FILES[format]([["k0"], ["x".repeat(length)]]);
      const around = { csv: 0, tsv: 0, ndjson: 10, json: 10, xml: 14 }[format];
      expect([limitOf(row(40 - around), format), limitOf(row(41 - around), format)]).toEqual([null, "row"]);
    });

    test(`of ${format} apply to its unpacked bytes and allow the maximum`, () => {
      const most = format === "xml" ? 150 : 200;
      const start = FILES[format]([["k0"], ["k1"]]);
      const blank = (length: number) => start + (format === "xml" ? " " : "\n").repeat(length - start.length);
      expect([limitOf(blank(most), format), limitOf(blank(most + 1), format)]).toEqual([null, "unpacked"]);
    });
  }

  test("apply to the columns and allow the maximum", () => {
    const csv = (columns: number) => `${["vin", "a", "b", "c"].slice(0, columns).join(",")}\n1`;
    const objects = (columns: number) => [
      Object.fromEntries(["vin", "a", "b", "c"].slice(0, columns).map((key) => [key, 1])),
    ];
    const xml = (columns: number) =>
      `<l><r>${["vin", "a", "b", "c"]
        .slice(0, columns)
        .map((key) => `<${key}/>`)
        .join("")}</r><r/></l>`;
    expect([limitOf(csv(3), "csv"), limitOf(csv(4), "csv")]).toEqual([null, "columns"]);
    expect([limitOf(JSON.stringify(objects(3)), "json"), limitOf(JSON.stringify(objects(4)), "json")]).toEqual([
      null,
      "columns",
    ]);
    expect([limitOf(xml(3), "xml"), limitOf(xml(4), "xml")]).toEqual([null, "columns"]);
  });

  test.each([
    ["csv", "a heading", (heading: string) => `vin,"${heading}"\n1,2`, "heading"],
    ["tsv", "a heading", (heading: string) => `vin\t${heading}\n1\t2`, "heading"],
    ["ndjson", "a key", (heading: string) => `{"${heading}":1}`, "import_file_unreadable"],
    ["json", "a nested key", (heading: string) => `[{"${heading.slice(2)}":{"a":1}}]`, "import_file_unreadable"],
    [
      "xml",
      "a nested element",
      (heading: string) => `<l><r><${heading.slice(4)}><a/><b/></${heading.slice(4)}></r><r/></l>`,
      "heading",
    ],
    ["xml", "an attribute", (heading: string) => `<l><r ${heading}="1"/><r/></l>`, "import_file_unreadable"],
  ] as const)("of %s apply to the characters of %s and allow the maximum", (format, _, file, fault) => {
    const of = (length: number): string | null => {
      const result = scanned(file("x".repeat(length)), { format });
      return isFault(result) ? (result.code === "too_large" ? result.limit : result.code) : null;
    };
    // The places of elements in others are longer by what is put between.
    const most = format === "xml" && fault === "heading" ? 202 : FILE_LIMITS.heading;
    expect([of(most), of(most + 1)]).toEqual([null, fault]);
  });

  test("apply to the distinct elements and attributes of XML and allow the maximum", () => {
    const attributes = (count: number) => Array.from({ length: count }, (_, n) => `a${n}="1"`).join(" ");
    const file = (count: number) => `<l><q ${attributes(count)}/><r vin="1"/><r/></l>`;
    expect(scanned(file(1996), { format: "xml" })).toMatchObject({ rows: 2 });
    expect(scanned(file(1997), { format: "xml" })).toMatchObject({ code: "import_file_unreadable" });
  });

  test("are reported with their line", () => {
    expect(scanned(`vin,make\n1,2\n\n"3\n4",${"x".repeat(40)}`, { format: "csv", limits })).toEqual({
      code: "too_large",
      limit: "row",
      line: 4,
      message: "The row at line 4 is larger than 40 bytes.",
    });
  });

  test("are reported in the units that the documents use", () => {
    const sentenceOf = (file: string, format: FileFormat): string => {
      const result = scanned(file, { format });
      return isFault(result) ? result.message : "none";
    };
    expect(sentenceOf(`vin\n${"x".repeat(300_000)}`, "csv")).toBe("The row at line 2 is larger than 256 KiB.");
    const element = `<v><vin>1</vin><trim>${"x".repeat(200_000)}</trim></v>`;
    expect(sentenceOf(`<l>${element.repeat(90)}</l>`, "xml")).toBe("The file is larger than 16 MiB, unpacked.");
  });

  test("apply to a file that never ends a row, before all of it has arrived", () => {
    for (const format of FILE_FORMATS) {
      const scan = scanFile({ format });
      const piece = bytesOf((format === "json" ? "[{" : format === "xml" ? "<a " : "") + "x".repeat(100_000));
      const faults = Array.from({ length: 5 }, () => scan.push(piece));
      expect(faults.at(-1)).toMatchObject({ code: "too_large", limit: "row" });
    }
  });
});

describe("a quote behind blanks", () => {
  for (const [line, cells] of [
    ['"SQ1", "Civic, Sport",  "say ""hi""" ,"x"', ["SQ1", "Civic, Sport", 'say "hi"', "x"]],
    ['SQ2, "Focus", 9995,""', ["SQ2", "Focus", " 9995", ""]],
    ['SQ3, 6" lift,a,b', ["SQ3", ' 6" lift', "a", "b"]],
    ['SQ4, "Ace" of cars,a,b', ["SQ4", ' "Ace" of cars', "a", "b"]],
    ['SQ5, "open,a,b', ["SQ5", ' "open', "a", "b"]],
  ] as const)
    test(`quotes its cell if it is closed before a delimiter: ${line}`, () => {
      expect(tableOf(`Stock,Model,Price,Trim\n${line}\n`, "csv").cells).toEqual([[...cells]]);
    });
});

describe("an unclosed quote", () => {
  test("ends the file at its line, with an error", () => {
    const file = 'VIN,Make,Model\n1,a,b\n2,"open,c\n3,d,e\n4,f,g\n';
    const layout = found(file, { format: "csv" });
    expect(layout.rows).toBe(2);
    expect(
      rowsOf(file, layout).map(({ row, line, cells, problem }) => [row, line, cells, problem?.code ?? null]),
    ).toEqual([
      [1, 2, ["1", "a", "b"], null],
      [2, 3, ["2", "open,c"], "quote_unclosed"],
    ]);
  });

  test("is found however much follows it, with the memory of one row", () => {
    const rows = Array.from({ length: 30_000 }, (_, index) => `${index},d,a long description without quotes`);
    const file = `VIN,Make,Model\n1,a,b\n2,"open,c\n${rows.join("\n")}`;
    const layout = found(file, { format: "csv" }, [70_000]);
    expect(layout.rows).toBe(2);
    expect(rowsOf(file, layout, [70_000]).map(({ problem }) => problem?.code ?? null)).toEqual([
      null,
      "quote_unclosed",
    ]);
  });

  test("is distinguished from a closed cell that is too long", () => {
    const file = `VIN,Make,Model\n1,a,b\n2,"${"x\n".repeat(200_000)}",c\n3,d,e`;
    expect(scanned(file, { format: "csv" }, [70_000])).toMatchObject({ code: "too_large", limit: "row", line: 3 });
  });

  test("that swallowed the lines after it says how many were read as one row", () => {
    const file = 'VIN,Trim\nA,"20 wheels\nB,Sport\nC,18" wheels\nD,Base\n';
    const rows = rowsOf(file, found(file, { format: "csv" }));
    expect(rows.map(({ problem }) => problem?.message.match(/; (.*)/)?.[1] ?? null)).toEqual([
      "3 lines were read as one row, as a quote on the first of them opens a cell that does not end there",
      null,
    ]);
    const single = 'VIN,Trim\nA,"20" wheels\nB,Sport\n';
    const [stray] = rowsOf(single, found(single, { format: "csv" }));
    expect(stray?.problem?.message).toBe('a quote within a quoted cell must be written twice ("")');
  });

  test("is distinguished from a stray one, which costs its own row at most", () => {
    const file = 'VIN,Make,Model\n1,"6" lift",b\n2,"abc"def,c\n3,6" lift,e\n4,"a" ,f\n';
    const rows = rowsOf(file, found(file, { format: "csv" }));
    expect(rows.map(({ cells, problem }) => [cells, problem?.code ?? null])).toEqual([
      [["1", '6" lift', "b"], null],
      [["2", 'abc"def,c'], "row_unreadable"],
      [["3", '6" lift', "e"], null],
      [["4", "a", "f"], null],
    ]);
  });
});

describe("a charset", () => {
  const file = (...cells: readonly (string | number)[]) =>
    Uint8Array.from(
      [..."VIN;Make;Price\nA;", ...cells, ..."\nB;b;1"].flatMap((part) =>
        typeof part === "number" ? [part] : [...bytesOf(part)],
      ),
    );
  const charsetOf = (...cells: readonly (string | number)[]) => found(file(...cells), { format: "csv" }).charset;

  test("is UTF-8 as long as all bytes are valid UTF-8", () => {
    expect(charsetOf("Citroën;1")).toBe("utf-8");
    expect(charsetOf("plain;1")).toBe("utf-8");
  });

  test("with single bytes is Windows-1252 unless the text shows that it is ISO-8859-15", () => {
    expect(charsetOf("Citro", 0xeb, "n;1")).toBe("windows-1252");
    expect(charsetOf("x;", 0x80, "1")).toBe("windows-1252");
    expect(charsetOf("x;", 0xa4, "1")).toBe("iso-8859-15");
    expect(charsetOf(0xa6, "koda;1")).toBe("iso-8859-15");
    expect(charsetOf("c", 0xbd, "ur;1")).toBe("iso-8859-15");
    expect(charsetOf("2", 0xbd, " t;1")).toBe("windows-1252");
    expect(charsetOf(0xa6, "koda;", 0x80, "1")).toBe("windows-1252");
  });

  test("applies to the whole file, including its heading", () => {
    const bytes = Uint8Array.from([
      ...bytesOf("VIN;Make;Prix "),
      0x80,
      ...bytesOf("\nA;Skoda;1\nB;"),
      0xeb,
      ...bytesOf(";2"),
    ]);
    const layout = found(bytes, { format: "csv" });
    expect([layout.charset, layout.heading]).toEqual(["windows-1252", ["VIN", "Make", "Prix €"]]);
    expect(rowsOf(bytes, layout).map(({ cells }) => cells[1])).toEqual(["Skoda", "ë"]);
  });

  test("is recognized as UTF-16 by the byte order mark, and without one by its zeros", () => {
    for (const charset of ["utf-16le", "utf-16be"] as const)
      for (const mark of ["", "\uFEFF"]) {
        const layout = found(encoded(`${mark}VIN\tMake\n1\tŠkoda 😀`, charset), { format: "csv" });
        expect(layout).toMatchObject({ charset, delimiter: "\t", heading: ["VIN", "Make"], rows: 1 });
      }
  });

  test("is the one the caller names, unless there is a byte order mark", () => {
    expect(found(file("x", 0xa4, ";1"), { format: "csv", charset: "windows-1252" }).charset).toBe("windows-1252");
    expect(found(`\uFEFF${"VIN,Make\n1,é"}`, { format: "csv", charset: "windows-1252" })).toMatchObject({
      charset: "utf-8",
      heading: ["VIN", "Make"],
    });
  });

  test("that does not fit the bytes is an error of the row", () => {
    const bytes = file("Citro", 0xeb, "n;1");
    const rows = rowsOf(bytes, found(bytes, { format: "csv", charset: "utf-8" }));
    expect(rows.map(({ cells, problem }) => [cells[1], problem?.code ?? null])).toEqual([
      ["Citro\uFFFDn", "not_in_charset"],
      ["b", null],
    ]);
  });

  test("of XML is the one that its declaration names", () => {
    const xml = encoded('<?xml version="1.0" encoding="ISO-8859-1"?><a><b><vin>é</vin></b><b/></a>', "windows-1252");
    expect(found(xml, { format: "xml" }).charset).toBe("windows-1252");
    expect(tableOf(xml, "xml").cells).toEqual([["é"], [null]]);
    const untrue = '<?xml version="1.0" encoding="UTF-16"?><a><b><vin>é</vin></b><b/></a>';
    expect(tableOf(untrue, "xml").cells).toEqual([["é"], [null]]);
  });

  test("has several accepted names", () => {
    expect(["UTF8", "Latin1", "ISO-8859-15", "utf-16", "koi8-r"].map(charsetNamed)).toEqual([
      "utf-8",
      "windows-1252",
      "iso-8859-15",
      "utf-16le",
      null,
    ]);
  });
});

describe("an unreadable file", () => {
  const faultOf = (file: string, format: FileFormat): string => {
    const result = scanned(file, { format });
    return isFault(result) ? `${result.code}: ${result.message}` : "none";
  };

  test("is not one that ends with the old end-of-file mark, which is not a row", () => {
    const vins = (file: string) => tableOf(file, "csv").cells.map(([vin]) => vin);
    expect(vins("vin,make\r\nA,Kia\r\n\x1a")).toEqual(["A"]);
    expect(vins("vin\nA\n\x1a\r\n")).toEqual(["A"]);
    expect(vins("vin,make\n\x1a,Kia\n")).toEqual(["\x1a"]);
    expect(faultOf("vin,make\n\x1a", "csv")).toBe("import_file_unreadable: The file has no row.");
  });

  test("has no heading or no row", () => {
    for (const file of ["", "\n\n", ",,,\n", "sep=;\n", '"open\n', "\0\0,\0\n1,2"])
      expect(faultOf(file, "csv")).toMatch(/^import_file_unreadable: .*heading/);
    for (const file of ["VIN,Make", "VIN,Make\n\n", "VIN,Make\n , \n,,\n"])
      expect(faultOf(file, "csv")).toMatch(/no row/);
    for (const format of ["json", "ndjson"] as const) expect(faultOf("", format)).toMatch(/no row/);
    expect(faultOf(" [ ] ", "json")).toMatch(/no row/);
    for (const file of ["[[1],2]", '{"vin":1}', "nonsense"])
      expect(faultOf(file, "json")).toMatch(/must begin with \[/);
    for (const file of ["[]", "{}", "nonsense"])
      expect(faultOf(file, "ndjson")).toMatch(/^import_file_unreadable: .*heading/);
    for (const file of ["", "<a/>", "<a><b/><b/></a>", "text"])
      expect(faultOf(file, "xml")).toMatch(/no elements that could be rows/);
  });

  test("is XML with a DOCTYPE, with tags that do not match, or with too many levels", () => {
    expect(faultOf('<!DOCTYPE a [<!ENTITY b "c">]><a><b><vin>&b;</vin></b></a>', "xml")).toMatch(/DOCTYPE, at line 1/);
    expect(faultOf("<a>\n<b></c></a>", "xml")).toMatch(/<\/c> stands where <b> is open, at line 2/);
    expect(faultOf("<a></a></b>", "xml")).toMatch(/<\/b> ends no element/);
    expect(faultOf("<a>".repeat(40), "xml")).toMatch(/more than 32 deep/);
    expect(faultOf(Array.from({ length: 2001 }, (_, index) => `<a${index}/>`).join(""), "xml")).toMatch(/2000 kinds/);
  });

  test("is recognized as binary by its first bytes", () => {
    expect(binaryKindOf(Uint8Array.of(0x50, 0x4b, 3, 4, 20, 0, 6, 0))).toContain(".xlsx");
    expect(binaryKindOf(Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1))).toContain(".xls");
    expect(isZip(Uint8Array.of(0x50, 0x4b, 3, 4, 20, 0, 6, 0))).toBe(true);
    expect(isOldWorkbook(bytesOf("VIN,Make"))).toBe(false);
    expect(binaryKindOf(bytesOf("%PDF-1.7"))).toBe("a PDF");
    expect(binaryKindOf(bytesOf("VIN,Make"))).toBeNull();
    expect(binaryKindOf(new Uint8Array())).toBeNull();
    expect([isGzip(Uint8Array.of(0x1f, 0x8b, 8)), isGzip(bytesOf("VIN"))]).toEqual([true, false]);
  });
});

test("a table may be cut off if its last row is the shortest and no end of line follows it", () => {
  const HEAD = "VIN,Make,Model,Price";
  const isCutOff = (file: string | Uint8Array) => found(file, { format: "csv" }).mayBeCutOff ?? false;
  for (const file of [`${HEAD}\nV1,A,B,1\nV2,A`, `${HEAD}\nV1,A,B\nV2,A`, `${HEAD}\nV1,A,B,1\nV2`])
    expect([file, isCutOff(file), isCutOff(encoded(file, "utf-16le"))]).toEqual([file, true, true]);
  for (const file of [
    `${HEAD}\nV1,A,B,1\nV2,A\n`,
    `${HEAD}\nV1,A,B,1\nV2,A\r\n`,
    `${HEAD}\nV1,A,B,1\nV2,A,B,1`,
    `${HEAD}\nV1,A\nV2,A`,
    `${HEAD}\nV1,A\nV2,A,B,1\nV3,A,B`,
    `${HEAD}\nV1,A`,
  ])
    expect([file, isCutOff(file), isCutOff(encoded(file, "utf-16be"))]).toEqual([file, false, false]);
});

describe("a truncated file", () => {
  const problemsOf = (file: string, format: FileFormat) => {
    const layout = found(file, { format });
    const rows = rowsOf(file, layout);
    expect(layout.rows).toBe(rows.length);
    return rows.map(({ problem }) => problem?.code ?? null);
  };

  test("has a last row that fails, so that a snapshot is aware of it", () => {
    for (const end of ["", ",", ', {"vin":', ', "x', " x"])
      expect(problemsOf(`[{"vin":1}${end}`, "json")).toEqual([null, end === " x" ? "row_unreadable" : "file_cut_off"]);
    for (const end of ["", "<b>", "<b><vin>2", "<b><vin>2</vin>", "<b", "<c>"])
      expect(problemsOf(`<a><b><vin>1</vin></b><b><vin>1</vin></b>${end}`, "xml")).toEqual([
        null,
        null,
        "file_cut_off",
      ]);
    expect(problemsOf('{"vin":1}\n{"vin":', "ndjson")).toEqual([null, "row_unreadable"]);
  });

  test("is not one that has all its rows", () => {
    expect(problemsOf('[{"vin":1} , {"vin":2}\n]\n', "json")).toEqual([null, null]);
    expect(problemsOf("<a><b><vin>1</vin></b><b><vin>1</vin></b></a><!-- end -->\n", "xml")).toEqual([null, null]);
  });
});

describe("the rows of XML", () => {
  test("are the first repeated element nearest to the root that has columns", () => {
    const pathOf = (file: string) => found(file, { format: "xml" }).rowPath;
    expect(pathOf("<r><v><vin/><p/><p/></v><v><vin/></v></r>")).toEqual(["r", "v"]);
    expect(pathOf("<r><x/><x/><d><v><vin/></v><v><vin/></v></d></r>")).toEqual(["r", "d", "v"]);
    expect(pathOf("<r><v><a/></v><v><b/></v></r>")).toEqual(["r", "v"]);
    const elsewhere = "<r><a><v><vin>0</vin></v></a><b><v><vin>1</vin></v><v><vin>2</vin></v></b></r>";
    expect(tableOf(elsewhere, "xml").cells).toEqual([["1"], ["2"]]);
  });

  test("are a file's only vehicle, not its photos", () => {
    const pathOf = (file: string) => found(file, { format: "xml" }).rowPath;
    expect(pathOf("<r><title/><v><vin/><make/><photos><p><a/></p><p><a/></p></photos></v></r>")).toEqual(["r", "v"]);
    expect(pathOf("<r><title/><v><vin/><make/><photos><p/><p/></photos></v></r>")).toEqual(["r", "v"]);
  });

  test("have lists, nested elements, attributes and prefixed names as columns", () => {
    const file = `<rss xmlns:g="x"><v id='7'><g:vin>A</g:vin><photos><p>1</p><p>2</p></photos><photo>3</photo><photo>4</photo>
      <mileage><value>5</value><unit>MI</unit></mileage><note/></v><v><g:vin>&#65;&#x42;&lt;</g:vin></v></rss>`;
    expect(tableOf(file, "xml")).toEqual({
      heading: ["id", "vin", "photos", "photo", "mileage.value", "mileage.unit", "note"],
      cells: [
        ["7", "A", "1,2", "3,4", "5", "MI", ""],
        [null, "AB<", null, null, null, null, null],
      ],
    });
  });

  test("fail on a reference that XML does not define", () => {
    const file = "<a><b><vin>&nbsp;</vin></b><b><vin>&#xD800;</vin></b><b><vin>a & b</vin></b><b><vin>c</vin></b></a>";
    expect(rowsOf(file, found(file, { format: "xml" })).map(({ problem }) => problem?.code ?? null)).toEqual([
      "row_unreadable",
      "row_unreadable",
      "row_unreadable",
      null,
    ]);
  });
});

describe("the objects of JSON", () => {
  test("have a column for each key in the file, and cells only for their own keys", () => {
    expect(tableOf('{"vin":"1","price":25999.9}\n{"b":true,"vin":null}\n', "ndjson")).toEqual({
      heading: ["vin", "price", "b"],
      cells: [
        ["1", 25999.9, null],
        ["", null, "true"],
      ],
    });
  });

  test("have lists and nested objects as columns", () => {
    const file = JSON.stringify([
      {
        vin: 1,
        mileage: { value: 5, unit: "MI" },
        images: ["a", "b"],
        photos: [{ url: "c" }, { image_url: "d" }, { x: 1 }],
      },
    ]);
    expect(tableOf(file, "json")).toEqual({
      heading: ["vin", "mileage.value", "mileage.unit", "images", "photos"],
      cells: [[1, 5, "MI", "a,b", "c,d,"]],
    });
  });

  test("fail when a number has more digits than can be kept, as it may be a key", () => {
    const file = '{"vin":12345678901234567890}\n{"vin":9007199254740991}\n{"vin":"12345678901234567890"}';
    const rows = rowsOf(file, found(file, { format: "ndjson" }));
    expect(rows.map(({ cells, problem }) => problem?.code ?? cells[0])).toEqual([
      "row_unreadable",
      9007199254740991,
      "12345678901234567890",
    ]);
  });

  test("fail one by one when an item is no object or is nested too deeply", () => {
    const deep = `{"a":${'{"b":'.repeat(20)}1${"}".repeat(20)}}`;
    const bottomless = `{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
    const file = `[{"vin":1}, [2], "x", 3, null, {"vin":}, ${deep}, ${bottomless}, {"__proto__":4}]`;
    const rows = rowsOf(file, found(file, { format: "json" }));
    expect(
      rows.map(({ problem }) => problem?.code ?? null).filter((code) => code === null).length,
    ).toBeGreaterThanOrEqual(2);
    expect(rows.slice(1, 7).map(({ problem }) => problem?.code)).toEqual(Array(6).fill("row_unreadable"));
    expect(rows.length).toBe(9);
  });
});

describe("a hostile file", () => {
  const MEGABYTE = 1024 * 1024;
  const TIMES = inGate(1, 8);
  const FILES: readonly (readonly [name: string, format: FileFormat, file: string])[] = [
    ["of quotes", "csv", `VIN\n${'"'.repeat((TIMES * MEGABYTE) / 2)}`],
    ["of quotes and blanks", "csv", `VIN\n${'"a" '.repeat((TIMES * MEGABYTE) / 8)}`],
    ["of open quotes behind blanks", "csv", `VIN,Make\n${`${', "a"b'.repeat(20_000)}\n`.repeat(TIMES)}`],
    ["of open quotes in short lines", "csv", `VIN,Make\n${'"a"b,c\n'.repeat(TIMES * 20_000)}`],
    ["of returns", "csv", `VIN\n1\n${"\r".repeat(TIMES * MEGABYTE)}`],
    ["of delimiters", "csv", `VIN\n${`${",".repeat(200_000)}\n`.repeat(2 * TIMES)}`],
    ["of one line", "json", `[${'{"vin":"\\\\"},'.repeat(TIMES * 20_000)}{}]`],
    ["of slashes", "json", `[${`{"vin":"${"\\\\".repeat(50_000)}"},`.repeat(2 * TIMES)}{}]`],
    ["of brackets", "json", `[${"[".repeat(TIMES * MEGABYTE)}`],
    ["of tags", "xml", `<a>${"<b><vin>1</vin></b>".repeat(TIMES * 12_500)}</a>`],
    ["of open tags", "xml", `<a>${"<".repeat(TIMES * MEGABYTE)}`],
    ["of quotes in tags", "xml", `<a ${"b='>' ".repeat(TIMES * 4000)}><b><vin>1</vin></b></a>`],
    ["of ampersands", "xml", `<a>${`<b><vin>${"&".repeat(200_000)}</vin></b>`.repeat(2 * TIMES)}</a>`],
  ];

  // Steps that grew with the square of such a file would take hours, or in the gate many minutes.
  for (const [name, format, file] of FILES)
    test(`${name} in ${format} is read in steps proportional to its size`, () => {
      const layout = scanned(file, { format }, [16_000]);
      if (!isFault(layout)) expect(rowsOf(file, layout, [16_000]).length).toBe(layout.rows);
    });
});
