/** The guides, in Markdown. They come before the operations. */
export const GUIDES = `Vehicles, dealers, images, API keys and users of a dealer network.

# First request

Every request carries an API key in the header \`X-API-Key\`. Answers are JSON.

\`\`\`sh
export API_KEY=vis_web_showroom-site_...
curl -H "X-API-Key: $API_KEY" http://localhost:3000/api/vehicles?limit=1
\`\`\`

The first start of the service prints a key with every permission. Create your own keys with it, or in the portal at \`/portal\`.

# Keys and binding

A key has an app type (\`web\`, \`desktop\` or \`mobile\`) and permissions. A permission is a resource and an action, such as \`vehicles:read\`. Each operation names the permission that it needs. Without the permission, the answer is 403.

A key may be bound to one dealer. It then reads and changes only that dealer's data. Clients need no changes for this:

- Lists contain only that dealer's records, and \`meta.filter_applied\` is true.
- A new record always belongs to that dealer, whatever \`dealer_id\` is sent.
- Another dealer's vehicle answers 403.

The key of a user has the user's permissions and dealer. A key without a dealer or user is a super-admin key.

The whole key is shown only once, in the answer that creates or rotates it. Desktop applications should send \`X-App-Type: desktop\`. Prices are in the currency of the installation, which \`GET /api/settings\` answers.

# Paging

Lists take \`limit\` (1 to 1000, by default 100) and \`offset\`. \`X-Total-Count\` says how many records match, and \`Link\` has the addresses of the first, previous, next and last page.

Pages of vehicles also have \`meta.next_cursor\`. Send it as \`cursor\` to continue exactly after the page, at the same cost at any depth. On the last page it is \`null\`. Lists of imports, mappings, sources, feeds and recent changes have only \`cursor\`, and no \`offset\`.

# Errors

Every error is JSON with a sentence in \`error\`, a \`code\` for programs, a \`timestamp\` and the \`request_id\`, by which it can be found in the service's log. A 400 lists the invalid fields in \`details\`.

The body of a \`PUT\` is partial: fields that are left out stay unchanged. Unknown fields are refused. Fields that the service sets are accepted and ignored, so that a record can be sent back as it was read.

After a 503 with the code \`outcome_unknown\` a change may or may not have been made: send it again with the same \`Idempotency-Key\`, or read the record before you try again.

# Repeating safely

Send \`Idempotency-Key\` with a \`POST\`, \`PUT\` or \`DELETE\`: a new random text for each change, such as a UUID, and the same one whenever you send that change again. It is then made once, however often it arrives. Each further request gets the first answer, with \`Idempotency-Replayed: true\`. Secrets are shown in the first answer only.

A name belongs to one key, method and path. With another body, query or content type it is a 422. While the first request still runs, the answer is 409 \`idempotency_in_progress\` after up to two seconds. Refusals are not kept: the same name can be sent again after a 4xx or 5xx.

# Limits

A key has a number of requests a minute: 100 for \`web\`, 300 for \`desktop\` and 200 for \`mobile\`, or the key's own \`rate_limit\`. Each answer says in \`RateLimit\` how many requests are left, and in how many seconds there are more. A 429 says in \`Retry-After\` how many seconds to wait.

# Conditional requests

A single vehicle or dealer comes with an \`ETag\`. Send it as \`If-None-Match\` to get 304 without a body while nothing has changed. Send it as \`If-Match\` with a change to get 412, without a change, if somebody else has changed the record meanwhile.

\`HEAD\` answers like \`GET\`, but without a body.`;
