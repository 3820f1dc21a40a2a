import { openApiDocument } from "../../adapters/http/docs/openapi.ts";
import { openSqlite } from "../../adapters/sql/sqlite/open.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import type { Document } from "../../client/making/document.ts";
import { coreOn, routesOf } from "../support/core.ts";

/** The service's OpenAPI document, without a service. */
export const ownDocument = async (): Promise<Document> => {
  const db = openSqlite(":memory:");
  try {
    const document = openApiDocument(routesOf(coreOn(db, systemClock)), "");
    return JSON.parse(JSON.stringify(document));
  } finally {
    await db.close();
  }
};
