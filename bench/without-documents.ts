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

/**
 * Removes the documents of vehicles from a file. The hand-written contenders read columns, and should not have the cost
 * of documents.
 */
export const dropDocumentsOfFile = (file: string): void => {
  const connection = new Sqlite(file);
  connection.exec(ON_SQLITE);
  connection.close();
};

/** The same for a PostgreSQL database. */
export const dropDocumentsOfDatabase = async (url: string): Promise<void> => {
  const connection = new SQL(url, { max: 1 });
  await connection.unsafe(ON_POSTGRES);
  await connection.close();
};
