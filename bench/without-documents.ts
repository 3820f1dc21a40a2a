import Sqlite from "better-sqlite3";
import { SQL } from "bun";

const ON_SQLITE = `
  DROP TRIGGER vehicle_document_made;
  DROP TRIGGER vehicle_document_changed;
  DROP TRIGGER vehicle_document_removed;
  DROP TABLE vehicle_documents`;

const ON_POSTGRES = `
  DROP TRIGGER vehicle_document_written ON vehicles;
  DROP VIEW vehicle_documents;
  ALTER TABLE vehicles DROP COLUMN document`;

/** Takes the vehicles' documents out of a file. The hand-written contenders read columns, and shall not pay for keeping others. */
export const dropDocumentsOfFile = (file: string): void => {
  const connection = new Sqlite(file);
  connection.exec(ON_SQLITE);
  connection.close();
};

/** The same of a database of PostgreSQL. */
export const dropDocumentsOfDatabase = async (url: string): Promise<void> => {
  const connection = new SQL(url, { max: 1 });
  await connection.unsafe(ON_POSTGRES);
  await connection.close();
};
