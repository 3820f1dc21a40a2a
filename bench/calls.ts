/** The key of the first super-admin in each service that `startService` starts. */
export const KEY = "key-of-who-measures-the-service-0123456789";

/** The headers of a request with this key. */
export const HEADERS = { "x-api-key": KEY };

const DEALER = {
  name: "Harbor Motors",
  address: "12 Quay Street",
  city: "Portland",
  state: "OR",
  zip: "97201",
  phone: "503-555-0142",
  email: "sales@harbor.example.com",
};

interface RequestOptions {
  readonly method?: "GET" | "POST" | "PUT";
  /** A CSV file as text, or an object as JSON. */
  readonly body?: string | object;
  readonly key?: string;
}

/** The response to a request. Throws if the request fails. */
export const sendRequest = async (
  address: string,
  { method = "GET", body, key = KEY }: RequestOptions = {},
): Promise<Response> => {
  const isFile = typeof body === "string";
  const response = await fetch(address, {
    method,
    headers: { "x-api-key": key, "content-type": isFile ? "text/csv" : "application/json" },
    ...(body !== undefined && { body: isFile ? body : JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${address}: ${response.status} ${await response.text()}`);
  return response;
};

/** The JSON of the response to a request. Throws unless it succeeds. */
export const requestJson = async <Answer>(address: string, sent: RequestOptions = {}): Promise<Answer> =>
  (await (await sendRequest(address, sent)).json()) as Answer;

/** Adds a dealer to the service at this address. Returns the dealer's id. */
export const addDealer = async (url: string, name = DEALER.name): Promise<number> =>
  (await requestJson<{ id: number }>(`${url}/api/dealers`, { method: "POST", body: { ...DEALER, name } })).id;

/** Removes the rate limit of the first super-admin's key. */
export const liftRateLimit = async (url: string): Promise<void> => {
  await sendRequest(`${url}/api/keys/1`, { method: "PUT", body: { rate_limit: 2_147_483_647 } });
};
