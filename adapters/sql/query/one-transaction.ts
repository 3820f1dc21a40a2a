import type { SteadyClock } from "../../../core/clock.ts";
import type { CurrentDeadline, Deadline, Sql, SqlDatabase, Tx } from "./database.ts";
import { DatabaseUnavailable } from "./database.ts";
import type { Statement, Values } from "./statement.ts";

/** What happens in the transaction before the first change and after the last one. */
interface Frame<Result> {
  readonly before: (tx: Tx) => Promise<void>;
  readonly after: (tx: Tx, result: Result) => Promise<void>;
  /** False if the result is a refusal, whose changes are undone. */
  readonly isKept: (result: Result) => boolean;
}

/** Runs work whose changes become one transaction, however many there are. */
export interface OneTransaction {
  /** The database for use cases: what runs within `run` joins its transaction, and everything else does not. */
  readonly db: SqlDatabase;
  /**
   * Runs work for the present request. Its changes become one transaction, which begins with the first of them. Reads
   * before are of the committed state, those behind see the changes.
   */
  run<Result>(work: () => Promise<Result>, frame: Frame<Result>): Promise<Result>;
  /** True if the transaction of the present request has kept everybody else from changing anything for too long. */
  holdsOthersUp(): boolean;
  /** Calls `done` now, or when the transaction of the present request has ended. */
  atEnd(done: () => void): void;
}

const step = (text: string): Statement<object> => ({ text, bind: () => [] });
const GUARD = step("SAVEPOINT step");
const KEEP = step("RELEASE SAVEPOINT step");
const UNDO = step("ROLLBACK TO SAVEPOINT step");
/** On SQLite nobody else can change anything meanwhile, so that a transaction must not be left open by a defect. */
const LONGEST_MS = 15_000;

/** A use case with many changes ends before it has held others up for much longer than this. */
const MAX_HELD_MS = 1000;

/** Thrown within a transaction to undo it. */
class Undone extends Error {
  override readonly name = "Undone";
}

type Begun = { readonly tx: Tx; readonly finish: (end: End) => void; readonly ended: Promise<unknown> };
/** The last work of a transaction. If it throws, all changes are undone. */
type End = (tx: Tx) => Promise<void>;

const undoneBy =
  (error: unknown): End =>
  () =>
    Promise.reject(error);

/** The transaction of one request. Its steps run one after another, also if the use case begins several at once. */
class Transaction {
  readonly atEnd: (() => void)[] = [];
  private begun: Promise<Begun> | null = null;
  private hasChanges = false;
  private begunMs = Number.POSITIVE_INFINITY;
  private lastStep: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly db: SqlDatabase,
    private readonly before: (tx: Tx) => Promise<void>,
    private readonly time: { readonly clock: SteadyClock; readonly longestMs: number },
  ) {}

  /** True if reads must see changes that are not committed. */
  get isOpen(): boolean {
    return this.begun !== null;
  }

  /** The time since it began, in milliseconds; negative before. */
  get ageMs(): number {
    return this.time.clock.steadyMs() - this.begunMs;
  }

  read<Row>(statement: Statement<Row>, values: Values): Promise<readonly Row[]> {
    return this.inTurn(async () => {
      if (this.begun === null) return this.db.all(statement, values);
      const { tx } = await this.begun;
      return this.converted(async () => tx.all(statement, values));
    });
  }

  /** Runs a change as a step of the transaction. If it fails, only this step is undone. */
  write<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    return this.inTurn(async () => {
      const { tx } = await this.begin();
      const asked: Parameters<NonNullable<Sql["once"]>>[] = [];
      const own: Tx = {
        ...tx,
        ...(tx.once !== undefined && {
          once: (...call: Parameters<NonNullable<Sql["once"]>>) => void asked.push(call),
        }),
      };
      const result = this.hasChanges ? await this.guarded(tx, () => work(own)) : await this.alone(() => work(own));
      this.hasChanges = true;
      for (const call of asked) tx.once?.(...call);
      return result;
    });
  }

  /** Commits after the last work, which throws to undo all changes. */
  commit(last: End): Promise<void> {
    return this.inTurn(async () => {
      const { finish, ended } = await this.begin();
      finish(last);
      await ended;
    });
  }

  /** Undoes all changes. */
  undo(): Promise<void> {
    return this.inTurn(() => this.undoBecause(new Undone("the changes of a refused request")));
  }

  private inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.lastStep.then(work);
    this.lastStep = result.catch(() => {});
    return result;
  }

  private begin(): Promise<Begun> {
    this.begun ??= this.open();
    return this.begun;
  }

  private async open(): Promise<Begun> {
    const opened = Promise.withResolvers<Tx>();
    const last = Promise.withResolvers<End>();
    let isOver = false;
    const guard = setTimeout(
      () => last.resolve(undoneBy(new DatabaseUnavailable("the changes of a request took too long"))),
      this.time.longestMs,
    );
    const ended = this.db.write(async (tx) => {
      const all: Sql["all"] = (statement, values) => {
        if (isOver) throw new DatabaseUnavailable("the transaction of the request has ended");
        return tx.all(statement, values);
      };
      const own: Tx = { ...tx, all };
      try {
        await this.before(own);
        opened.resolve(own);
        const end = await last.promise;
        await end(own);
      } finally {
        isOver = true;
      }
    }, this.time.longestMs);
    ended.then(
      () => clearTimeout(guard),
      (error) => {
        clearTimeout(guard);
        opened.reject(error);
      },
    );
    try {
      const tx = await opened.promise;
      this.begunMs = this.time.clock.steadyMs();
      return { tx, finish: last.resolve, ended };
    } catch (error) {
      this.begun = null;
      throw error;
    }
  }

  /** Undoes everything, and returns when it is undone. */
  private async undoBecause(error: unknown): Promise<void> {
    const begun = await this.begun?.catch(() => null);
    this.begun = null;
    this.hasChanges = false;
    if (begun === null || begun === undefined) return;
    begun.finish(undoneBy(error));
    await begun.ended.catch(() => {});
  }

  /** Runs the first change. If it fails, nothing is left to be kept, and the transaction ends. */
  private async alone<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await this.converted(work);
    } catch (error) {
      await this.undoBecause(error);
      throw error;
    }
  }

  private async guarded<Result>(tx: Tx, work: () => Promise<Result>): Promise<Result> {
    await tx.all(GUARD, {});
    try {
      const result = await this.converted(work);
      await tx.all(KEEP, {});
      return result;
    } catch (error) {
      await tx.all(UNDO, {});
      await tx.all(KEEP, {});
      throw error;
    }
  }

  /** Runs work whose errors callers understand. */
  private async converted<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw this.db.errorOf(error);
    }
  }
}

interface TransactionParts {
  readonly current: CurrentDeadline;
  readonly clock: SteadyClock;
  /** How long a transaction may take. Only tests have another limit: a busy machine is no defect. */
  readonly longestMs?: number;
}

/** A database whose changes for one request can become one transaction. */
export const oneTransaction = (
  db: SqlDatabase,
  { current, clock, longestMs = LONGEST_MS }: TransactionParts,
): OneTransaction => {
  const transactions = new WeakMap<Deadline, Transaction>();
  // Requests whose changes need no common transaction cost nothing while there are none that do.
  let running = 0;
  const present = (): Transaction | null => {
    const deadline = running === 0 ? undefined : current();
    return deadline === undefined ? null : (transactions.get(deadline) ?? null);
  };
  /** The transaction whose changes a read must see. */
  const seen = (): Transaction | null => {
    const transaction = present();
    return transaction?.isOpen === true ? transaction : null;
  };
  const joined: SqlDatabase = {
    ...db,
    all: (statement, values) => seen()?.read(statement, values) ?? db.all(statement, values),
    first(statement, values) {
      const transaction = seen();
      if (transaction === null) return db.first(statement, values);
      return transaction.read(statement, values).then(([row]) => row ?? null);
    },
    longReads: {
      ...db.longReads,
      all: (statement, values) => seen()?.read(statement, values) ?? db.longReads.all(statement, values),
    },
    write: (work) => present()?.write(work) ?? db.write(work),
    writeOne(statement, values) {
      const transaction = present();
      if (transaction === null) return db.writeOne(statement, values);
      return transaction.write(async (tx) => tx.all(statement, values));
    },
  };
  return {
    db: joined,
    async run(work, { before, after, isKept }) {
      const deadline = current();
      if (deadline === undefined) throw new Error("only a request can have one transaction");
      const transaction = new Transaction(db, before, { clock, longestMs });
      transactions.set(deadline, transaction);
      running++;
      try {
        const result = await work();
        if (isKept(result)) await transaction.commit((tx) => after(tx, result));
        else await transaction.undo();
        return result;
      } catch (error) {
        await transaction.undo();
        throw error;
      } finally {
        running--;
        transactions.delete(deadline);
        for (const done of transaction.atEnd) done();
      }
    },
    holdsOthersUp: () => db.engine === "sqlite" && (present()?.ageMs ?? 0) >= MAX_HELD_MS,
    atEnd(done) {
      const transaction = present();
      if (transaction === null) done();
      else transaction.atEnd.push(done);
    },
  };
};
