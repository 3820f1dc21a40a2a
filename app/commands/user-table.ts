import type { UserRecord } from "../../core/users/user.ts";
import { table } from "./table.ts";

type Column = readonly [heading: string, cell: (user: UserRecord) => string];

const COLUMNS: readonly Column[] = [
  ["ID", ({ id }) => String(id)],
  ["NAME", ({ name }) => name],
  ["EMAIL", ({ email }) => email],
  ["ROLE", ({ role }) => role],
  ["DEALER", ({ dealerId }) => (dealerId === null ? "-" : String(dealerId))],
  ["STATE", ({ active }) => (active ? "active" : "inactive")],
  // To the minute, which is enough to recognise a moment.
  ["CREATED", ({ createdAt }) => `${createdAt.slice(0, 10)} ${createdAt.slice(11, 16)}`],
];

/** Users for people to read, a line each; moments are in UTC. */
export const userTable = (users: readonly UserRecord[]): string =>
  table(
    COLUMNS.map(([heading]) => heading),
    users.map((user) => COLUMNS.map(([, cell]) => cell(user))),
  );
