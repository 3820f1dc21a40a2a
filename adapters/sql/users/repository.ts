import { type RawBuilder, sql } from "kysely";
import type { Actor } from "../../../core/access/principal.ts";
import type { AuditDraft } from "../../../core/audit/audit-entry.ts";
import type { Timestamp } from "../../../core/clock.ts";
import { Failure } from "../../../core/failure.ts";
import { NEWEST_FIRST, presented } from "../../../core/page.ts";
import { DEFAULT_QUOTAS, type Quotas } from "../../../core/quotas.ts";
import { searchedWords } from "../../../core/search/words.ts";
import { foldEmail } from "../../../core/text.ts";
import { presentUser, type UserRecord, type UserSort } from "../../../core/users/user.ts";
import {
  EMAIL_TAKEN,
  LAST_SUPER_ADMIN,
  NO_SUCH_DEALER,
  type UserFields,
  type UserRefusal,
  type UserRepository,
} from "../../../core/users/user-repository.ts";
import { accessChange } from "../access/access-change.ts";
import { QuotaExceeded, quotaGuard } from "../access/quotas.ts";
import { findUser, isUserVisible, USER_COLUMNS, type UserRow, userOf, WAS_INVITED } from "../access/user-rows.ts";
import { auditTrail } from "../audit/trail.ts";
import { recordMoveOfUser } from "../keys/rebindings.ts";
import { keyRotations } from "../keys/rotations.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";
import type { Queries } from "../query/driver.ts";
import { listing, orderedBy, type SortKey } from "../query/listing.ts";
import { isOneOf, JSON_ESCAPE_FACTOR, type RowSize } from "../query/slices.ts";
import type { NewRow, Row } from "../query/tables.ts";
import { hasWords, withWords } from "../search/condition.ts";
import { searchWords } from "../search/words.ts";
import { lastSuperAdminGuard, NoSuperAdminLeft } from "./last-super-admin.ts";
import { lockedUsers } from "./locked.ts";

const FIELDS = ["name", "email", "email_folded", "role", "dealer_id", "permissions", "active", "ended_by"] as const;

/** The columns of a new user. */
export const INSERTED = [...FIELDS, "created_at", "updated_at"] as const;

const userColumnsOf = (user: UserFields): Pick<Row<"users">, (typeof FIELDS)[number]> => ({
  name: user.name,
  email: user.email,
  email_folded: foldEmail(user.email),
  role: user.role,
  dealer_id: user.dealerId,
  permissions: user.permissions,
  active: user.active ? 1 : 0,
  ended_by: user.endedBy,
});

const SORTS: Readonly<Record<UserSort, SortKey>> = {
  created: { value: sql`users.created_at` },
  updated: { value: sql`users.updated_at` },
  name: { value: sql`(SELECT name FROM user_words WHERE user_id = users.id)`, mayBeUnset: true },
  email: { value: sql`users.email_folded` },
  role: { value: sql`users.role` },
};

/** The audit entry of a change; `before` is `null` for a new user. */
export const toAuditDraft = (before: UserRecord | null, after: UserRecord): AuditDraft => ({
  action: before === null ? "user.created" : "user.changed",
  resourceId: after.id,
  dealerId: (before ?? after).dealerId,
  before: before === null ? null : presentUser(before),
  after: presentUser(after),
});

/** Inserts a user and its audit entry within a transaction. */
export const userInsertion = (db: SqlDatabase) => {
  const audit = auditTrail(db);
  const words = searchWords(db);
  return async (
    tx: Tx,
    { user, now, by }: { readonly user: UserFields; readonly now: Timestamp; readonly by: Actor },
  ): Promise<UserRecord> => {
    const row = await tx
      .insertInto("users")
      .values({ ...userColumnsOf(user), created_at: now, updated_at: now } satisfies NewRow<"users">)
      .returning("id")
      .executeTakeFirstOrThrow();
    await words.keep(tx, "users", row.id);
    const record = { id: row.id, ...user, invited: false, createdAt: now, updatedAt: now };
    await audit(tx, { at: now, by, ...toAuditDraft(null, record) });
    return record;
  };
};

/** `otherBytes` includes up to 1.5 kB of permissions. */
const ROW_SIZE: RowSize<UserRow> = {
  maxBytes: 4200,
  otherBytes: 2000,
  textColumns: { name: JSON_ESCAPE_FACTOR, email: JSON_ESCAPE_FACTOR },
};

/** Users in SQL; see the port for what it guarantees. `changed` runs after every committed change. */
export const makeUserRepository = (
  db: SqlDatabase,
  changed: () => void,
  quotas: Quotas = DEFAULT_QUOTAS,
): UserRepository => {
  const enforceQuota = quotaGuard(quotas);
  const audit = auditTrail(db);
  const words = searchWords(db);
  const requireSuperAdmin = lastSuperAdminGuard(db);
  const changeAccess = accessChange(db, changed);
  const rotateKeys = keyRotations(db);
  const locked = lockedUsers(db);
  const insertUser = userInsertion(db);
  const list = listing<UserRow>(db, { table: "users", rowSize: ROW_SIZE });
  const matching = ({ visibility, filter }: Pick<Parameters<UserRepository["list"]>[0], "visibility" | "filter">) => {
    const { dealerId, role, active, search } = filter;
    const foundIn = (text: RawBuilder<string>) => db.contains(sql`user_words.words`, text);
    return (on: Queries, isById: boolean) => {
      let query = on
        .selectFrom("users")
        .select([...USER_COLUMNS, WAS_INVITED])
        .where(isUserVisible(visibility));
      if (dealerId !== undefined) query = query.where("dealer_id", "=", dealerId);
      if (role !== undefined) query = query.where("role", "=", role);
      if (active !== undefined) query = query.where("active", "=", active ? 1 : 0);
      if (search !== undefined) {
        const few = isById || visibility !== "everything";
        const words = hasWords(searchedWords(search), foundIn);
        query = query.where(withWords({ table: "users", words: "user_words", id: "user_id" }, few, words));
      }
      return query;
    };
  };

  const isInvited = async (tx: Tx, id: number): Promise<boolean> => {
    const row = await tx.selectFrom("users").select(WAS_INVITED).where("id", "=", id).executeTakeFirst();
    return row?.invited === 1;
  };

  /** Runs a transaction that changes access. Violated rules of the schema are returned as values. */
  const change = async <Result>(
    now: Timestamp,
    by: Actor,
    work: (tx: Tx) => Promise<Result>,
  ): Promise<Result | UserRefusal> => {
    try {
      return await changeAccess(by, now, work);
    } catch (error) {
      if (error instanceof NoSuperAdminLeft) return LAST_SUPER_ADMIN;
      if (error instanceof QuotaExceeded) return error.failure;
      const violation = db.violation(error);
      if (violation === "unique") return EMAIL_TAKEN;
      if (violation === "foreign-key") return NO_SUCH_DEALER;
      throw error;
    }
  };

  return {
    async list({ visibility, filter, page, order = NEWEST_FIRST }) {
      const listed = await list({
        rows: matching({ visibility, filter }),
        isFullScan: filter.search !== undefined,
        page,
        order: orderedBy("users", SORTS, order),
      });
      return presented(listed, userOf);
    },

    find: (id, visibility) => findUser(db, id, visibility),

    async names(ids, visibility) {
      const rows = await db
        .selectFrom("users")
        .select(["id", "name"])
        .where(isOneOf(db, ids))
        .where(isUserVisible(visibility))
        .execute();
      return new Map(rows.map(({ id, name }) => [id, name]));
    },

    insert: (user, now, by) =>
      change(now, by, async (tx) => {
        const record = await insertUser(tx, { user, now, by });
        await enforceQuota(tx, "usersPerDealer", record.dealerId);
        return record;
      }),

    change: ({ id, visibility, withKeys, now, by }, decide) =>
      change(now, by, async (tx) => {
        const seen = await locked.find(tx, id, visibility);
        if (seen === null) return null;
        const decided = decide(seen, withKeys ? await locked.keysOf(tx, id) : []);
        if (decided instanceof Failure) return decided;
        const { fields, rotations } = decided;
        const row = await tx
          .updateTable("users")
          .set({ ...userColumnsOf(fields), updated_at: db.nextTimestamp("updated_at", now) })
          .where("id", "=", id)
          .where(isUserVisible(visibility))
          .returning([...USER_COLUMNS, WAS_INVITED])
          .executeTakeFirst();
        if (row === undefined) throw new Error("a user who was read cannot be changed");
        await words.keep(tx, "users", id);
        // The change may have invalidated the invitation, but this statement does not see that yet.
        const user = { ...userOf(row), invited: row.invited === 1 && (await isInvited(tx, id)) };
        await requireSuperAdmin(tx, seen, user);
        if (user.dealerId !== seen.dealerId) {
          await enforceQuota(tx, "usersPerDealer", user.dealerId);
          await recordMoveOfUser(tx, { id, from: seen.dealerId, now });
        }
        await audit(tx, { at: now, by, ...toAuditDraft(seen, user) });
        if (rotations !== null) await rotateKeys(tx, { holder: user, rotations, now, by });
        return { user, keys: rotations };
      }),
  };
};
