import { connect } from "./engines.ts";
import { STARTING_CLOCK } from "./service.ts";

const PROGRESS = { position: null, done: 0, counts: {} };

/** Adds an import that waits for ever, as it has no job, to the database at an address. Returns its id. */
export const addWaitingImport = async (databaseUrl: string, dealerId: number): Promise<number> => {
  const db = connect(databaseUrl);
  const now = STARTING_CLOCK.now();
  let id = 0;
  await db.migrate(async (run) => {
    const [row] = await run(`INSERT INTO imports
      (created_at, dealer_id, state, options, file, columns, progress, actor_name, via)
      VALUES ('${now}', ${dealerId}, 'queued', '{}', '{"found":{}}', '{"columns":[],"warnings":[]}', '${JSON.stringify(PROGRESS)}',
        'Somebody', 'api') RETURNING id`);
    id = Number(row?.id);
  });
  await db.close();
  return id;
};

/** Puts an import of the database at an address into a state. */
export const changeImport = async (databaseUrl: string, id: number, state: string): Promise<void> => {
  const db = connect(databaseUrl);
  await db.migrate(async (run) => void (await run(`UPDATE imports SET state = '${state}' WHERE id = ${id}`)));
  await db.close();
};

/** How many imports of the database at an address are in a state, even one that no answer shows. */
export const importsIn = async (databaseUrl: string, state: string): Promise<number> => {
  const db = connect(databaseUrl);
  let count = 0;
  await db.migrate(async (run) => {
    const [row] = await run(`SELECT count(*) AS count FROM imports WHERE state = '${state}'`);
    count = Number(row?.count);
  });
  await db.close();
  return count;
};
