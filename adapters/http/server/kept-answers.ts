import { LongBody } from "../protocol/long-body.ts";
import { type Answer, JsonText, StampedJson } from "../protocol/route.ts";

/** An answer about one dealer's inventory, with its tag. */
interface KeptAnswer {
  readonly tag: string;
  readonly answer: Answer & { readonly body: StampedJson };
}

/** The number of characters that all kept answers may have together, and that one of them may have. */
const MAX_CHARACTERS = 4 * 1024 * 1024;
const MAX_CHARACTERS_OF_ONE = MAX_CHARACTERS / 32;
/** The number of tags of answers that were given once. */
const MAX_GIVEN = 4096;

/**
 * Answers about one dealer's inventory, by their version and address. They are given again while the version
 * stays the same, with the present time, so that neither the list nor the total is read. A version differs whenever the
 * answer may, whichever process made the change, so a kept answer is exact. An answer is kept when it is asked for the
 * second time, as most searches are never repeated. When there is no room, the oldest ones go.
 */
export class KeptAnswers {
  private readonly kept = new Map<string, KeptAnswer>();
  private readonly given = new Set<string>();
  private characters = 0;

  find(name: string): KeptAnswer | null {
    return this.kept.get(name) ?? null;
  }

  /** Keeps an answer if it may be given again. Returns it, perhaps with its body as text. */
  keep(name: string, tag: string, answer: Answer): Answer {
    if (answer.body instanceof LongBody || this.isFirst(tag)) return answer;
    const text = answer.body instanceof JsonText ? answer.body.text : JSON.stringify(answer.body);
    const sent = { ...answer, body: new JsonText(text) };
    const body = StampedJson.of(text);
    if (body === null || name.length + text.length > MAX_CHARACTERS_OF_ONE) return sent;
    this.forget(name);
    this.kept.set(name, { tag, answer: { ...answer, body } });
    this.characters += name.length + text.length;
    for (const oldest of this.kept.keys()) {
      if (this.characters <= MAX_CHARACTERS) break;
      this.forget(oldest);
    }
    return sent;
  }

  private isFirst(tag: string): boolean {
    if (this.given.has(tag)) return false;
    if (this.given.size >= MAX_GIVEN) this.given.clear();
    this.given.add(tag);
    return true;
  }

  private forget(name: string): void {
    const known = this.kept.get(name);
    if (known === undefined) return;
    this.characters -= name.length + known.answer.body.length;
    this.kept.delete(name);
  }
}
