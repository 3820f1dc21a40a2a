/** Counts events of a few known kinds since the process started. */
export class Tally<Word extends string> {
  private readonly counts: Map<Word, number>;

  constructor(words: readonly Word[]) {
    this.counts = new Map(words.map((word) => [word, 0]));
  }

  /** Counts one event more. A word that is not among the known ones is not counted. */
  add(word: string): void {
    const known = word as Word;
    const count = this.counts.get(known);
    if (count !== undefined) this.counts.set(known, count + 1);
  }

  /** Every word with its count, 0 included. */
  get entries(): readonly (readonly [Word, number])[] {
    return [...this.counts];
  }
}
