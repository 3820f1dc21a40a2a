import { WORKBOOK_LIMITS } from "./limits.ts";
import { type Parts, partBytes, textOfPart } from "./parts.ts";
import { broken, tooLarge } from "./refused.ts";
import { cellText, plainText, type XmlPiece, XmlReader } from "./xml-reader.ts";

declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };
declare const TextEncoder: new () => {
  encodeInto(text: string, target: Uint8Array): { readonly read: number; readonly written: number };
};

const WHAT = "the list of texts";

/** The texts that the cells of a workbook share, in as little memory as they take in the file. */
export class SharedTexts {
  private readonly decoder = new TextDecoder();
  private readonly encoder = new TextEncoder();
  private readonly ends: number[] = [];
  private readonly bytes: Uint8Array;

  private constructor(bytes: number) {
    this.bytes = new Uint8Array(bytes);
  }

  /** Reads the list of this name; without a name there are none. */
  static async read(parts: Parts, name: string | null): Promise<SharedTexts> {
    if (name === null) return new SharedTexts(0);
    const most = WORKBOOK_LIMITS.texts;
    // No text is longer as text than as XML.
    const texts = new SharedTexts(Math.min(partBytes(parts, name), most));
    const reader = new XmlReader(WHAT);
    const list = new TextList((text) => texts.add(text));
    for await (const chunk of textOfPart(parts, { name, most, what: WHAT })) {
      reader.push(chunk);
      while (reader.advance()) list.take(reader);
    }
    return texts;
  }

  /** The text at a place; `null` if there is none. */
  at(place: number): string | null {
    const end = this.ends[place];
    if (end === undefined) return null;
    return this.decoder.decode(this.bytes.subarray(place === 0 ? 0 : this.ends[place - 1], end));
  }

  private add(text: string): void {
    if (this.ends.length === WORKBOOK_LIMITS.textCount)
      throw tooLarge(`The workbook has more than ${WORKBOOK_LIMITS.textCount} texts.`);
    const start = this.ends.at(-1) ?? 0;
    const { read, written } = this.encoder.encodeInto(text, this.bytes.subarray(start));
    if (read < text.length) throw broken(`${WHAT} is larger than the workbook says`);
    this.ends.push(start + written);
  }
}

/** Finds the texts in the XML of the list. A text may be in several runs; how it is pronounced is no part of it. */
class TextList {
  private text = "";
  private isInText = false;
  private isPronunciation = false;

  constructor(private readonly found: (text: string) => void) {}

  take(piece: XmlPiece): void {
    if (piece.kind === "text") {
      if (this.isInText && !this.isPronunciation) this.text += plainText(piece);
      return;
    }
    const { name, isEmpty } = piece;
    const isOpen = piece.kind === "open";
    if (name === "t") this.isInText = isOpen && !isEmpty;
    else if (name === "rPh") this.isPronunciation = isOpen && !isEmpty;
    else if (name === "si") {
      if (!isOpen || isEmpty) this.found(cellText(this.text));
      this.text = "";
    }
  }
}
