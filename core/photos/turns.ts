/** Lets so much through at once; the rest waits in its order. */
export class Gate {
  private readonly waiting: { readonly weight: number; readonly enter: () => void }[] = [];

  constructor(private free: number) {}

  /** Waits for its turn. The result ends it, and may be called once. */
  async enter(weight = 1): Promise<() => void> {
    if (this.waiting.length === 0 && this.free >= weight) this.free -= weight;
    else await new Promise<void>((enter) => this.waiting.push({ weight, enter }));
    return () => {
      this.free += weight;
      for (let next = this.waiting[0]; next !== undefined && next.weight <= this.free; next = this.waiting[0]) {
        this.free -= next.weight;
        this.waiting.shift();
        next.enter();
      }
    };
  }
}

const MEBIBYTE = 1024 * 1024;
/** The uploads of one key that are worked on at once. */
const PER_CALLER = 4;
/** The uploads that wait behind those that are decoded. */
const MAX_WAITING = 64;
/** The bytes of sent files that are in memory at once. */
const MAX_HELD_BYTES = 64 * MEBIBYTE;

/** Bounds the work on uploads: for each caller, in memory, and on the processors. */
export class UploadTurns {
  private readonly callers = new Map<string, { readonly gate: Gate; uploads: number }>();
  private readonly memory = new Gate(MAX_HELD_BYTES);
  private readonly decoding: Gate;
  private readonly most: number;
  private uploads = 0;

  constructor(processors: number) {
    this.decoding = new Gate(processors);
    this.most = processors + MAX_WAITING;
  }

  /** Runs an upload when it is its caller's turn; `null` if too many wait already. */
  async run<Result>(caller: string, bytes: number, upload: () => Promise<Result>): Promise<Result | null> {
    if (this.uploads >= this.most) return null;
    this.uploads++;
    const own = this.callers.get(caller) ?? { gate: new Gate(PER_CALLER), uploads: 0 };
    this.callers.set(caller, own);
    own.uploads++;
    try {
      const leave = await own.gate.enter();
      try {
        const forget = await this.memory.enter(Math.min(bytes, MAX_HELD_BYTES));
        try {
          return await upload();
        } finally {
          forget();
        }
      } finally {
        leave();
      }
    } finally {
      this.uploads--;
      if (--own.uploads === 0) this.callers.delete(caller);
    }
  }

  /** Runs work that keeps a processor busy. */
  async decode<Result>(work: () => Promise<Result>): Promise<Result> {
    const leave = await this.decoding.enter();
    try {
      return await work();
    } finally {
      leave();
    }
  }
}
