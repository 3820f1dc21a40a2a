import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

type Documents = Map<unknown, Readonly<Record<string, unknown>>>;

/** A listener that answers the calls of Meilisearch's documentation that the recipe makes, and refuses all others. */
export const startSearchIndex = async (key: string) => {
  const indexes: Record<string, Documents> = { vehicles: new Map(), inventory_places: new Map() };
  const refused: string[] = [];
  /** For each task, how often it was asked for. */
  const tasks: number[] = [];

  /** The status and the body of an answer; `null` for a call that is not documented. */
  const answerTo = (call: string, body: string): readonly [number, unknown] | null => {
    const [, asked] = /^GET \/tasks\/(\d+)$/.exec(call) ?? [];
    if (asked !== undefined) {
      const times = tasks[Number(asked)];
      if (times === undefined) return null;
      tasks[Number(asked)] = times + 1;
      return [200, { uid: Number(asked), status: times === 0 ? "processing" : "succeeded", error: null }];
    }
    const [, index = ""] = /^\w+ \/indexes\/(\w+)\//.exec(call) ?? [];
    const documents = indexes[index];
    if (documents === undefined) return null;
    const at = `/indexes/${index}`;
    if (call === `GET ${at}/documents/vehicles`) {
      const document = documents.get("vehicles");
      return document === undefined ? [404, { code: "document_not_found" }] : [200, document];
    }
    if (call === `POST ${at}/documents?primaryKey=id`)
      for (const document of JSON.parse(body)) documents.set(document.id, document);
    else if (call === `POST ${at}/documents/delete-batch`) for (const id of JSON.parse(body)) documents.delete(id);
    else if (call === `DELETE ${at}/documents`) documents.clear();
    else if (call !== `PATCH ${at}/settings`) return null;
    return [202, { taskUid: tasks.push(0) - 1, status: "enqueued" }];
  };

  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    const call = `${request.method} ${request.url}`;
    const answer = request.headers.authorization === `Bearer ${key}` ? answerTo(call, body) : null;
    if (answer === null) refused.push(call);
    const [status, text] = answer ?? [400, { code: "not_documented" }];
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(text));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused,
    vehicles: indexes.vehicles as Documents,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
