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
/** The uploads that wait behind those that are decoded, and those that one dealer may have among all. */
const MAX_WAITING = 64;
const MAX_OF_PARTY = 48;
/** The bytes of sent files that are in memory at once, and those of one dealer among them. */
const MAX_HELD_BYTES = 64 * MEBIBYTE;
const HELD_BYTES_OF_PARTY = 24 * MEBIBYTE;

/** Who sends a photo: the key, and those who have a share of the room together, which are all keys of a dealer. */
export interface Sender {
  readonly caller: string;
  readonly party: string;
}

/** A gate for each name, as long as somebody is in it or waits for it. */
class NamedGates {
  private readonly gates = new Map<string, { readonly gate: Gate; users: number }>();

  constructor(private readonly room: number) {}

  /** The number of those who are in the gate of this name or wait for it. */
  usersOf(name: string): number {
    return this.gates.get(name)?.users ?? 0;
  }

  /** Runs work when it is its turn at the gate of this name. */
  async through<Result>(name: string, weight: number, work: () => Promise<Result>): Promise<Result> {
    const own = this.gates.get(name) ?? { gate: new Gate(this.room), users: 0 };
    this.gates.set(name, own);
    own.users++;
    try {
      const leave = await own.gate.enter(Math.min(weight, this.room));
      try {
        return await work();
      } finally {
        leave();
      }
    } finally {
      if (--own.users === 0) this.gates.delete(name);
    }
  }
}

/** Bounds the work on uploads: for each caller and dealer, in memory, and on the processors. */
export class UploadTurns {
  private readonly callers = new NamedGates(PER_CALLER);
  private readonly shares = new NamedGates(HELD_BYTES_OF_PARTY);
  private readonly parties = new NamedGates(MAX_OF_PARTY);
  private readonly memory = new Gate(MAX_HELD_BYTES);
  private readonly decoding: Gate;
  private readonly most: number;
  private uploads = 0;

  constructor(processors: number) {
    this.decoding = new Gate(processors);
    this.most = processors + MAX_WAITING;
  }

  /**
   * Runs an upload when it is its sender's turn; `null` if too many wait already. Clients may send slowly: no dealer has
   * all of the room.
   */
  async run<Result>({ caller, party }: Sender, bytes: number, upload: () => Promise<Result>): Promise<Result | null> {
    const isOfDealer = party !== caller;
    if (this.uploads >= this.most || (isOfDealer && this.parties.usersOf(party) >= MAX_OF_PARTY)) return null;
    this.uploads++;
    const inMemory = async (): Promise<Result> => {
      const forget = await this.memory.enter(Math.min(bytes, MAX_HELD_BYTES));
      try {
        return await upload();
      } finally {
        forget();
      }
    };
    try {
      return await this.parties.through(party, 1, () =>
        this.callers.through(caller, 1, () => this.shares.through(party, bytes, inMemory)),
      );
    } finally {
      this.uploads--;
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
