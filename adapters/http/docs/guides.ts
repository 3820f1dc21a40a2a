/** The guides, in Markdown. They come before the operations. */
export const GUIDES = `Vehicles, dealers, images, API keys and users of a dealer network.

# First request

Every request carries an API key in the header \`X-API-Key\`. Answers are JSON.

\`\`\`sh
export API_KEY=vis_web_showroom-site_...
curl -H "X-API-Key: $API_KEY" http://localhost:3000/api/vehicles?limit=1
\`\`\`

The first start of the service prints a key with every permission. Make keys of your own with it, or in the portal at \`/portal\`.

# Keys and binding

A key has an app type (\`web\`, \`desktop\` or \`mobile\`) and permissions, each a resource and an action such as \`vehicles:read\`. An operation names the permission it needs. Without it, it answers 403.

A key may be bound to one dealer. It then reads and changes that dealer's data only, and the client does not change:

- Lists have that dealer's records only, and \`meta.filter_applied\` is true.
- Whatever \`dealer_id\` is sent on creation, the record becomes that dealer's.
- Another dealer's vehicle answers 403.

A key of a user has that user's permissions and dealer. A key without dealer or user is a super-admin's.

The whole key is shown once, in the answer that creates or rotates it. Desktop applications also send \`X-App-Type: desktop\`.

# Paging

Lists take \`limit\` (1 to 1000, by default 100) and \`offset\`. \`X-Total-Count\` says how many records match, and \`Link\` has the addresses of the first, previous, next and last page.

Pages of vehicles also have \`meta.next_cursor\`. Send it as \`cursor\` to continue exactly behind the page, at the same cost at any depth. The last page has \`null\`. Lists of imports, mappings, sources and feeds are read by \`cursor\` alone.

# Errors

Every error is JSON with a sentence in \`error\`, a \`code\` for programs, a \`timestamp\` and the \`request_id\` under which the service's log has it. A 400 names every offending field in \`details\`.

Bodies are partial on \`PUT\`: fields that are left out stay as they are. Unknown fields are refused. Fields that the service sets are accepted and ignored, so that a record can be sent back as it was read.

After a 503 with the code \`outcome_unknown\` a change may or may not have been made: read the record before you try again.

# Limits

A key has a number of requests a minute: 100 for \`web\`, 300 for \`desktop\` and 200 for \`mobile\`, or the key's own \`rate_limit\`. Each answer says in \`RateLimit\` how many are left and in how many seconds there are more. A 429 says in \`Retry-After\` how many seconds to wait.

# Conditional requests

A single vehicle or dealer comes with an \`ETag\`. Send it as \`If-None-Match\` to get 304 without a body while nothing has changed. Send it as \`If-Match\` with a change to get 412, and no change, when somebody else was faster.

\`HEAD\` answers like \`GET\` without the body.`;
