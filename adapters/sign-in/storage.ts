import { kyselyAdapter } from "@better-auth/kysely-adapter";
import type { BetterAuthOptions, DBAdapter, Where } from "better-auth/types";
import type { Kysely } from "kysely";
import type { Clock } from "../../core/clock.ts";
import { SESSION_IDLE_SECONDS, SESSION_LONGEST_SECONDS } from "../../core/sign-in/sessions.ts";
import { userOfAlias } from "./alias.ts";
import { type FactorSealing, sealedFactors } from "./sealed-factors.ts";
import { tokens } from "./tokens.ts";

/** The library's model name of second factors. They have no timestamps, so that the clock does not matter. */
const FACTOR = "twoFactor";

type Fields = Record<string, unknown>;

const mapped = (fields: Fields, map: (value: unknown) => unknown): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, map(value)]));

/**
 * The database adapter of the sign-in library. It maps session tokens to the hashes that are stored, the machine's
 * clock to the service's, and makes users read-only.
 */
export const storageOf =
  (kysely: Kysely<unknown>, clock: Clock, sealing: FactorSealing) =>
  (options: BetterAuthOptions): DBAdapter => {
    // Both engines store timestamps as ISO 8601 text and flags as 0 or 1, as the library does on SQLite.
    const inner = kyselyAdapter(kysely, { type: "sqlite" })(options);

    const factors = sealedFactors(sealing);

    const aheadMs = (): number => clock.nowMs() - Date.now();
    const shift = (value: unknown, ms: number) => (value instanceof Date ? new Date(value.getTime() + ms) : value);
    const stored = (fields: Fields): Fields => mapped(fields, (value) => shift(value, aheadMs()));
    const shown = <Row>(row: Row): Row =>
      typeof row === "object" && row !== null
        ? (mapped(row as Fields, (value) =>
            // Joined rows come as lists or as single objects.
            Array.isArray(value) ? value.map(shown) : shift(value, -aheadMs()),
          ) as Row)
        : row;

    const condition = (model: string, where: Where): Where => {
      const { field, value } = where;
      if (model === "session" && field === "token" && typeof value === "string")
        return { ...where, value: tokens.hashOf(value) };
      const userId = model === "user" && field === "email" ? userOfAlias(String(value)) : null;
      if (userId !== null) return { ...where, field: "id", value: userId };
      return value instanceof Date ? { ...where, value: new Date(value.getTime() + aheadMs()) } : where;
    };
    const conditions = (model: string, where: Where[]): Where[] => where.map((one) => condition(model, one));

    /** Puts the session token back in place of its hash. */
    const withToken = <Row>(model: string, where: Where[], row: Row | null): Row | null => {
      const token = model === "session" ? where.find(({ field }) => field === "token")?.value : undefined;
      return row === null || token === undefined ? row : { ...row, token };
    };

    return {
      ...inner,
      async create<T extends Fields, R = T>({ model, data, ...rest }: Parameters<typeof inner.create<T, R>>[0]) {
        if (model === "user") throw new Error("users are made by the service, not by signing up");
        if (model === FACTOR) {
          const sealed = (await factors.stored(data, (data as Fields).userId)) as typeof data;
          return factors.shown(await inner.create<T, R>({ model, data: sealed, ...rest }));
        }
        if (model !== "session")
          return shown(await inner.create({ model, data: stored(data) as typeof data, ...rest }));
        const { token } = data as Fields;
        // Read the clock once: a session then ends to the millisecond.
        const nowMs = clock.nowMs();
        const later = (seconds: number) => new Date(nowMs + seconds * 1000);
        const times = {
          createdAt: later(0),
          updatedAt: later(0),
          lastSeenAt: later(0),
          expiresAt: later(SESSION_IDLE_SECONDS),
          endsAt: later(SESSION_LONGEST_SECONDS),
        };
        const session = { ...stored(data), ...times, token: tokens.hashOf(String(token)) } as unknown as typeof data;
        return { ...shown(await inner.create({ model, data: session, ...rest })), token };
      },
      async findOne<Row>({ model, where, ...rest }: Parameters<DBAdapter["findOne"]>[0]) {
        const find = () => inner.findOne<Row>({ model, where: conditions(model, where), ...rest });
        const row = await find();
        if (model !== FACTOR) return withToken(model, where, shown(row));
        if (!factors.isLegacy(row)) return factors.shown(row);
        await sealing.sealAnew();
        return factors.shown(await find());
      },
      async findMany<Row>({ model, where, ...rest }: Parameters<DBAdapter["findMany"]>[0]) {
        const rows = await inner.findMany<Row>({ model, where: conditions(model, where ?? []), ...rest });
        return rows.map(shown);
      },
      async update<Row>({ model, where, update }: Parameters<DBAdapter["update"]>[0]) {
        // Everything that the library would change of a user is computed from other tables (see the view
        // `sign_in_users`).
        if (model === "user") return shown(await inner.findOne<Row>({ model, where: conditions(model, where) }));
        if (model === FACTOR) {
          const owner = await inner.findOne<Fields>({ model, where });
          return factors.shown(
            await inner.update<Row>({ model, where, update: await factors.stored(update, owner?.userId) }),
          );
        }
        const row = await inner.update<Row>({ model, where: conditions(model, where), update: stored(update) });
        return withToken(model, where, shown(row));
      },
      updateMany: ({ model, where, update }) =>
        inner.updateMany({ model, where: conditions(model, where), update: stored(update) }),
      delete: ({ model, where }) => inner.delete({ model, where: conditions(model, where) }),
      deleteMany: ({ model, where }) => inner.deleteMany({ model, where: conditions(model, where) }),
      async consumeOne<Row>({ model, where }: Parameters<DBAdapter["consumeOne"]>[0]) {
        return shown(await inner.consumeOne<Row>({ model, where: conditions(model, where) }));
      },
      async incrementOne<Row>({ model, where, ...rest }: Parameters<DBAdapter["incrementOne"]>[0]) {
        return shown(await inner.incrementOne<Row>({ model, where: conditions(model, where), ...rest }));
      },
      // Each statement is a transaction of its own; single-use records are consumed by one statement (consumeOne).
      transaction(work) {
        return work(this);
      },
    };
  };
