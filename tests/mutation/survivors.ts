const FOUND_FIRST = "the record is found and locked first, in the same transaction and by the same condition";
const OF_USERS = "only a key that is tied to a user has the id of one";
const LOCKS_MORE =
  "reads and locks all keys, users, secrets, links or dealers instead of some: slower, but what is stored is chosen by the given ones";
const SINCE_THE_MOVE = "every change since the vehicle's last move is its present dealer's";
const ENDED_BY_TRIGGER = "a trigger deletes the sessions of a user who is deactivated";
const ONE_AT_A_TIME = "sessions begin one at a time: each locks the row that counts changes of access";
const NONE_INVITED =
  "the first super-admin is offered a link only while nobody is invited: there are no other invitations";
const OF_ITS_DEALER =
  "a source and an import never leave their dealer, with which both were read: the condition says so again";
const LEFT_OUT_AFTER =
  "finds more than is asked for, which is left out where it is read: slower, but nothing else changes";
const NO_FIELD = "no record has a field without a name, nor one called null or undefined";
const SHAPE = "the key of a cache: it tells both shapes apart either way";
const NO_ORIGIN = "no configured origin is `null`: a request without one is not among them";
const EVERY_ORIGIN = "each answer is open to every origin either way; this way none is looked up";
const NO_COOKIE = "a cookie that is missing becomes the text null, which has no signature either";

const WITH_ITS_IMPORT = "pieces go with their import anyway: they are deleted before it so that no transaction is long";
const NOTHING_EITHER_WAY = "what is not there counts like null wherever it is read";
const WRITES_AGAIN = "writes what is there already";
const NOTHING_TO_COMPARE = "nothing is the same as no value: no duplicate is found, only more slowly";
const NO_PHOTO_IS_ADDED = "the bytes are compared only if a photo is to be added: only the type does not say so";
const HELD_CARDS = "a card that was held has no action and was not sent: it is taken back either way";
const NO_CODE = "an error without a code has none that is a text: only its type does not say so";
const NEVER_REFUSED =
  "a price and a status by themselves are refused of no vehicle, other than for duplicates: only the type does not say so";
const ALWAYS_THERE = "there always is one: only its type does not say so";
const AMONG_THE_FAILURES = "what is missing or wrong is among the failures: only its type does not say so";
const NARROWS_NOTHING = "a filter that was not sent narrows nothing, named or not";
const ASKED_AGAIN = "what is not remembered is found out again, with the same result: slower";

const ALWAYS_A_CEILING = "both forms that show the matrix give it a ceiling";
const ENDS_WITH_ALL =
  "a savepoint that is not released ends with the transaction, and a write that fails undoes the newest: its own";
const LOCKED_BEFORE =
  "the dealer and the vehicle are locked in the same transaction: an assertion that nobody can reach";
const NO_HOLDER = "only a key that is tied to a user has a holder: nothing is not the role of a regular user";
const TOO_FEW_GROUPS = "a text without a colon has too few groups either way";
const IN_OTHER_ROWS = "its neighbours stand beside each other in another row or in the alphabet, too";
const NO_KEY = "nothing is no key, and no row or vehicle is looked for by it";
const NO_FEWER_UNITS = "a text has no fewer units than characters: each text is counted, with the same result";
const NO_LONGER_NETWORK = "no text of that length names a network: it only need not be read";
const RIGHT_PASSWORD = "only a user with a password has a right one: only the types do not say so";
const BEFORE_NO_TIME = "nothing is before no time";
const SAME_MOMENT = "both are the same moment then";
const NOT_SENT = "what was not sent is not on";
const ALWAYS_ROTATED = "a rotated key comes with its new secret, as it is answered: only its type does not say so";
const NOBODY_WITHOUT_ID = "nobody has no id: nobody is found either way";
const AN_EXAMPLE = "an example of the documentation, which stays true with one network less";
const NOTHING_IS_LESS = "no limit compares as less than any: it is not over the caller's";

/** Mutants by name that no test notices, each with the reason why that is right. Any other survivor fails the run. */
export const SURVIVORS: Readonly<Record<string, string>> = {
  "adapters/portal/permissions/permissions.tsx PermissionMatrix: ceilingCondition: ceiling === undefined || holds(ceiling, permission) → (holds(ceiling, permission))":
    ALWAYS_A_CEILING,
  "adapters/http/protocol/headers.ts corsHeaders: joined: origin !== null && origins.has(origin) → (origins.has(origin))":
    NO_ORIGIN,
  'adapters/http/protocol/headers.ts sharedApiHeaders: condition: origins === "*" → false': EVERY_ORIGIN,
  'adapters/sign-in/cookies.ts withoutSignature: joined: value ?? "" → (value)': NO_COOKIE,
  "adapters/sign-in/cookies.ts verified: joined: cookie === null || value === null → (value === null)": NO_COOKIE,
  'adapters/sql/history/repository.ts REPRICED: sqlCondition: dealer_id = ${param("dealerId")} → 1 = 1': SINCE_THE_MOVE,
  "adapters/sql/history/repository.ts makeHistoryRepository: scope: scope !== null → scope === null (2)": SHAPE,
  "adapters/sql/imports/row-steps.ts statementsOf: sqlCondition: spelled.field = 'stock_number' → 1 = 1":
    LEFT_OUT_AFTER,
  "adapters/sql/imports/statements.ts tidyingStatements: sqlCondition: (state = 'arriving' AND created_at < ${param(\"abandoned\")}) → 1 = 0":
    WITH_ITS_IMPORT,
  "adapters/sql/report/stored-figures.ts statementsOf: sqlCondition: dealer_id IN (${dealers}) → 1 = 1": LOCKS_MORE,
  'adapters/sql/sign-in/accounts.ts makeAccountRepository: where: .where("password_hash", "is not", null) → nothing':
    "the column takes no NULL: each has a password",
  'adapters/sql/sign-in/invitations.ts makeInvitationRepository: where: .where("kind", "=", "first") → nothing (2)':
    LOCKS_MORE,
  'adapters/sql/sign-in/invitations.ts makeInvitationRepository: where: .where("kind", "=", "first") → nothing (3)':
    NONE_INVITED,
  'adapters/sql/sign-in/sessions.ts makeSessionRepository: where: .where("recovery_codes", "=", row.recovery_codes) → nothing':
    ONE_AT_A_TIME,
  'adapters/sql/sign-in/sessions.ts found: where: .where("users.active", "=", 1) → nothing': ENDED_BY_TRIGGER,
  'adapters/sql/sources/import-outcomes.ts importOutcomes: where: .where("dealer_id", "=", dealer) → nothing (3)':
    OF_ITS_DEALER,
  'adapters/sql/sources/work.ts makeSourceWork: where: .where("dealer_id", "=", dealer) → nothing': OF_ITS_DEALER,
  'adapters/sql/sources/work.ts makeSourceWork: where: .where("dealer_id", "=", dealer) → nothing (2)': OF_ITS_DEALER,
  'adapters/sql/feeds/of-vehicle.ts makeFeedsOfVehicle: sqlCondition: dealer_id = ${param("own.dealer")} → 1 = 1':
    LEFT_OUT_AFTER,
  'adapters/sql/feeds/of-vehicle.ts makeFeedsOfVehicle: sqlCondition: (id = ${param("own.id")} OR lower(vin) = ${param("own.vin")} OR (lower… → 1 = 1':
    LEFT_OUT_AFTER,
  'adapters/sql/readiness/lots.ts makeLotRepository: sqlCondition: vehicle_id = ${param("id")} → 1 = 1': LEFT_OUT_AFTER,
  'adapters/sql/keys/repository.ts makeKeyRepository: where: .where("id", "=", id) → nothing': LOCKS_MORE,
  "adapters/sql/keys/rebindings.ts recordMoveOfUser: sqlCondition: association = 'user' → 1 = 1": OF_USERS,
  "adapters/sql/feeds/repository.ts makeFeedRepository: where: .where(isOneOf(db, ids)) → nothing": LEFT_OUT_AFTER,
  "adapters/sql/jobs/jobs.ts makeJobs: where: .where(isUnheld(now)) → nothing": FOUND_FIRST,
  'adapters/sql/jobs/jobs.ts transactionalJobs: where: .where("attempts", "!=", 1) → nothing': WRITES_AGAIN,
  'adapters/sql/images/changes.ts statementsOf: where: .where("is_primary", "=", 1) → nothing': WRITES_AGAIN,
  'adapters/sql/images/changes.ts statementsOf: where: .where("id", "!=", of("imageId")) → nothing': WRITES_AGAIN,
  "adapters/sql/query/fair-queue.ts leastBusy: condition: count === 0 → false":
    "looks at all, although none can have less than nothing at work: slower, with the same result",
  "adapters/sql/query/fair-queue.ts FairQueue: joined: queue.shift() ?? null → (queue.shift())": ALWAYS_THERE,
  "adapters/sql/query/fair-queue.ts FairQueue: joined: queue.pop() ?? null → (queue.pop())": ALWAYS_THERE,
  "adapters/sql/search/spellings.ts vehicleSpellings: sqlCondition: vehicle_spellings.folded IS DISTINCT FROM excluded.folded → 1 = 1":
    WRITES_AGAIN,
  'adapters/sql/search/spellings.ts vehicleSpellings: sqlCondition: id = ${param("id")} → 1 = 1':
    "puts every vehicle of the same make and model right, which have the same folded forms",
  'adapters/sql/search/spelling-sweep.ts statementsOf: sqlCondition: vehicles.id <= ${param("last")} → 1 = 1':
    "looks at more vehicles in each step, with the same result",
  'adapters/sql/search/spelling-sweep.ts statementsOf: sqlCondition: seen < ${param("before")} → 1 = 1':
    "goes through the vehicles although no spelling is old, with the same result",
  'adapters/sql/search/words-backfill.ts statementsOf: sqlCondition: id <= ${param("last")} → 1 = 1': WRITES_AGAIN,
  'adapters/sql/sqlite/durable-files.ts syncNames: condition: process.platform !== "win32" → true':
    "only Windows refuses to open a folder, and the tests do not run there",
  "adapters/sql/sqlite/durable-files.ts linkAs: step: syncFile(name); → ;":
    "only a machine that loses its power shows whether the copy was on disk: what cannot be put there fails to be copied already",
  "adapters/sql/sqlite/write-queue.ts WriteQueue: condition: group.length === 0 → false":
    "a COMMIT without a transaction fails, and there is nobody to tell",
  "adapters/sql/sqlite/write-queue.ts WriteQueue: condition: failure !== null → false":
    "where the rollback fails, BEGIN does so as well, and the write is refused either way",
  "adapters/sql/sqlite/write-queue.ts WriteQueue: step: this.steps.keep.run(); → ;": ENDS_WITH_ALL,
  "adapters/sql/sqlite/write-queue.ts WriteQueue: step: this.steps.keep.run(); → ; (2)": ENDS_WITH_ALL,
  'adapters/sql/usage/store.ts makeUsageStore: where: .where("id", "in", givenIds(db, [...keyIds])) → nothing':
    LOCKS_MORE,
  'adapters/sql/usage/store.ts makeUsageStore: where: .where("hash", "in", db.selectFrom(hashes.as("given")).select("named")… → nothing':
    LOCKS_MORE,
  "adapters/sql/dealers/repository.ts makeDealerRepository: scope: scope === null → scope !== null": SHAPE,
  "adapters/sql/dealers/figure-values.ts refusedKeys: sqlCondition: of_user.association = 'user' → 1 = 1": OF_USERS,
  'adapters/sql/users/locked.ts lockedUsers: where: .where("id", "=", id) → nothing': LOCKS_MORE,
  'adapters/sql/users/locked.ts lockedUsers: where: .where("id", "in", ids) → nothing': LOCKS_MORE,
  'adapters/sql/users/locked.ts lockedUsers: where: .where("user_id", "=", id) → nothing': LOCKS_MORE,
  'adapters/sql/users/repository.ts makeUserRepository: scope: visibility !== "everything" → visibility === "everything"':
    "reads the words of each user, or all words once: the same users are found either way",
  'adapters/sql/keys/list.ts keyList: where: .where("api_keys.idle_noticed_at", "is not", null) → nothing':
    "tells the engines which index has them: the next condition is true of no other key",
  'core/access/networks.ts blockOf: joined: text.length <= MAX_NETWORK && text.includes("/") → (text.includes("/"))':
    NO_LONGER_NETWORK,
  "core/access/networks.ts blockOf: comparison: text.length <= MAX_NETWORK → text.length < MAX_NETWORK":
    NO_LONGER_NETWORK,
  "core/access/networks.ts blocksOf: joined: known.get(texts) ?? texts.flatMap((text) => blockOf(text) ?? []) → (texts.flatMap((text) => blockOf(text) ?? []))":
    "reads the networks each time: slower, with the same result",
  "core/access/networks.ts blocksOf: joined: blockOf(text) ?? [] → (blockOf(text))": ALWAYS_THERE,
  'core/access/authority.ts authorityOfKey: joined: key.association !== "user" || key.holder?.role !== "user" → (key.holder?.role !== "user")':
    NO_HOLDER,
  'core/audit/audit-entries-hide-other-dealers.ts newOwnerOf: joined: OWNER_FIELD[resource ?? ""] ?? "" → (OWNER_FIELD[resource ?? ""])':
    NO_FIELD,
  'core/audit/audit-entries-hide-other-dealers.ts newOwnerOf: joined: resource ?? "" → (resource)': NO_FIELD,
  "core/audit/audit-entries-hide-other-dealers.ts visibleChanges: joined: resource !== null && NAME_FIELDS[resource].some((field) => after !== n… → (NAME_FIELDS[resource].some((field) => after !== null && field in afte…":
    ALWAYS_THERE,
  "core/audit/audit-entries-hide-other-dealers.ts visibleChanges: joined: after !== null && field in after → (field in after)":
    ALWAYS_THERE,
  "core/egress/networks.ts v6Of: joined: head === undefined || head === null → (head === null)": ALWAYS_THERE,
  'core/egress/networks.ts addressOf: condition: text.includes(":") → true': TOO_FEW_GROUPS,
  'core/imports/matching.ts matchByBothKeys: joined: ofStock !== null && "vin" in ofStock → ("vin" in ofStock)':
    ALWAYS_THERE,
  "core/imports/row-decision.ts decideAbout: joined: batch.bases.get(id) ?? null → (batch.bases.get(id))":
    NOTHING_EITHER_WAY,
  "core/imports/rows.ts changedImages: condition: Array.isArray(list) → true": ALWAYS_THERE,
  "core/imports/batch-reading.ts vehiclesOfRows: joined: byDealer.get(dealerId) ?? [] → (byDealer.get(dealerId))":
    ALWAYS_THERE,
  "core/imports/missing.ts handleMissing: joined: rows.length === 0 || dealerId === null → (rows.length === 0)":
    "a snapshot is of one dealer: only its type does not say so",
  "core/imports/rows.ts makeRows: condition: !(created instanceof JsonRecord) → false": LOCKED_BEFORE,
  "core/imports/rows.ts makeRows: condition: !(updated instanceof JsonRecord) → false": LOCKED_BEFORE,
  "core/imports/run.ts makeImportRun: joined: ended !== null || importer === null → (ended !== null)":
    "an import without an importer has ended: only the types do not say so",
  "core/imports/run.ts makeImportRun: joined: last?.next ?? progress.position → (last?.next)": ALWAYS_THERE,
  "core/imports/run.ts makeImportRun: joined: results.at(-1)?.place ?? progress.done → (results.at(-1)?.place)":
    ALWAYS_THERE,
  "adapters/rate-limit/fallback.ts openFallbackRateLimiter: comparison: from < subjects.length → from <= subjects.length":
    "reports one more batch of no subject, with the same result",
  "core/access/turns.ts fairTurns: condition: oldest !== undefined → true": ALWAYS_THERE,
  "core/access/rules/nobody-hands-out-more-than-they-hold.ts EXCESSES: joined: rateLimit !== null && rateLimit > caller.rateLimit → (rateLimit > caller.rateLimit)":
    NOTHING_IS_LESS,
  'core/access/rules/sensitive-changes-need-recent-proof.ts ofKeysThatChangeUsers: joined: change.after !== null && holds(change.after.permissions, "users:write"… → (holds(change.after.permissions, "users:write"))':
    ALWAYS_THERE,
  "core/users/undo-offboarding.ts userReturned: condition: left === null → false":
    "who never left is refused before: only its type does not say so",
  "core/users/undo-offboarding.ts makeUndoOffboarding: condition: newOwnerId === null → false": NOBODY_WITHOUT_ID,
  "core/users/offboarding.ts keyLeft: joined: !key.active && endedBy === key.endedBy → (endedBy === key.endedBy)":
    "nobody has ended a key that is active",
  "core/sign-in/own-account.ts makeOwnAccount: joined: factor === null || !isRight → (!isRight)":
    "no code is right without a factor: only its type does not say so",
  "core/sign-in/sign-in.ts makeSignIn: joined: passwordHash === null || known === null → (known === null)":
    ALWAYS_THERE,
  "core/sign-in/sign-in.ts makeSignIn: joined: isPassword && user !== null && passwordHash !== null → (isPassword && user !== null)":
    RIGHT_PASSWORD,
  "core/sign-in/sign-in.ts makeSignIn: joined: isPassword && user !== null → (isPassword)": RIGHT_PASSWORD,
  "core/sign-in/sign-in.ts makeSignIn: joined: entry === null || user === null → (entry === null)": RIGHT_PASSWORD,
  "core/sign-in/sign-in.ts makeSignIn: joined: challenge === null || user === null → (user === null)": ALWAYS_THERE,
  "core/sign-in/session-starter.ts makeSessionStarter: condition: entry.sessionToken !== null → true": ALWAYS_THERE,
  "core/sign-in/sign-in-record.ts makeSignInRecord: joined: lastRecordedMs.get(address) ?? Number.NEGATIVE_INFINITY → (lastRecordedMs.get(address))":
    "no time is less than a minute from none",
  "core/sign-in/lockout.ts makeLockout: joined: succeededAt !== null && succeededAt > clock.after(-KNOWN_SECONDS) → (succeededAt > clock.after(-KNOWN_SECONDS))":
    "no time is later than any",
  "core/sign-in/lockout.ts makeLockout: joined: user !== null && begun.failures === ONE_ORIGIN.pausesFrom → (begun.failures === ONE_ORIGIN.pausesFrom)":
    ALWAYS_THERE,
  "core/sign-in/reauthentication.ts makeReauthentication: joined: factor !== null && authenticator.isCode(digits, factor.secret) → (authenticator.isCode(digits, factor.secret))":
    "the session was found with a second factor: only who loses it in that moment has none",
  'core/sign-in/accounts.ts makeAccounts: joined: ended === 0 && typeof which === "object" && "only" in which → (ended === 0 && typeof which === "object")':
    "another's sessions end one at a time or all at once: only the type knows a third way",
  "core/sign-in/invitations.ts passwordIssues: joined: chosen.length > MAX_PASSWORD && [...chosen].length > MAX_PASSWORD → ([...chosen].length > MAX_PASSWORD)":
    NO_FEWER_UNITS,
  "core/sign-in/invitations.ts passwordIssues: comparison: chosen.length > MAX_PASSWORD → chosen.length >= MAX_PASSWORD":
    NO_FEWER_UNITS,
  'core/sign-in/invitations.ts makeInvitations: joined: body.name ?? "" → (body.name)': ALWAYS_THERE,
  'core/sign-in/invitations.ts makeInvitations: joined: body.email ?? "" → (body.email)': ALWAYS_THERE,
  "core/sign-in/own-account.ts makeOwnAccount: comparison: until > endsAt → until >= endsAt": SAME_MOMENT,
  "core/sign-in/own-account.ts makeOwnAccount: comparison: current.session.lastSeenAt <= clock.after(-SESSION_USE_INTERVAL_SECOND… → current.session.lastSeenAt < clock.after(-SESSION_USE_INTERVAL_SECONDS…":
    "a use exactly a minute after the last one is recorded with the next: at most once a minute either way",
  "core/sign-in/own-account.ts makeOwnAccount: condition: passwordHash === null → false": ALWAYS_THERE,
  "core/sign-in/own-account.ts makeOwnAccount: condition: isRight → true":
    "makes codes that nobody gets: slower, with the same result",
  "core/sign-in/sign-in.ts makeSignIn: condition: userId === null → false": NOBODY_WITHOUT_ID,
  "core/sign-in/password-rules.ts neighbours: comparison: at < row.length → at <= row.length":
    "adds the pair of a key and nothing, which no password has",
  'core/sign-in/password-rules.ts isRuns: joined: characters[at - 1] ?? "" → (characters[at - 1])': ALWAYS_THERE,
  'core/sign-in/password-rules.ts isRuns: joined: characters[at] ?? "" → (characters[at])': ALWAYS_THERE,
  'core/sign-in/password-rules.ts ROWS: member: [ "`1234567890-=", "qwertyuiop[]", "asdfghjkl;\'", "zxcvbnm,./", "!@#$%… → ["`1234567890-=", "qwertyuiop[]", "asdfghjkl;\'", "zxcvbnm,./", "!@#$%^… (2)':
    IN_OTHER_ROWS,
  'core/sign-in/password-rules.ts ROWS: member: [ "`1234567890-=", "qwertyuiop[]", "asdfghjkl;\'", "zxcvbnm,./", "!@#$%… → ["`1234567890-=", "qwertyuiop[]", "asdfghjkl;\'", "zxcvbnm,./", "!@#$%^… (5)':
    IN_OTHER_ROWS,
  "adapters/egress/client.ts unlessAborted: condition: signal.aborted → false":
    "an end comes with an event, and none comes between the last one and this wait",
  'adapters/egress/client.ts guardedEgress: joined: isName && { servername: host.replace(/\\.$/, "") } → (isName)':
    "the runtime takes the name from the header Host if it is not told: what it is told is the same",
  "adapters/egress/client.ts guardedEgress: joined: ca !== undefined && { ca } → ({ ca })": NOTHING_EITHER_WAY,
  "adapters/egress/client.ts guardedEgress: joined: sent !== undefined && { sent } → ({ sent })": NOTHING_EITHER_WAY,
  "adapters/egress/client.ts guardedEgress: joined: message.statusCode ?? 0 → (message.statusCode)": ALWAYS_THERE,
  "adapters/egress/client.ts guardedEgress: joined: message.statusCode ?? 0 → (message.statusCode) (2)": ALWAYS_THERE,
  'adapters/egress/client.ts guardedEgress: joined: message.headers["content-length"] ?? 0 → (message.headers["content-length"])':
    "no length is no number, which is not greater than any",
  "core/egress/networks.ts REFUSED: condition: network === null → false":
    "each of the refused networks is one: the service would not start",
  "core/egress/networks.ts isClientWithin: joined: address.version === 6 && address.first >> V4_BITS === MAPPED → (address.first >> V4_BITS === MAPPED)":
    "no address of version 4 has bits beyond its 32",
  "core/imports/matching.ts matchVehicle: joined: vin !== null && one.vin !== null → (one.vin !== null)": NO_KEY,
  "core/imports/matching.ts matchVehicle: joined: stock !== null && one.stock_number !== null → (one.stock_number !== null)":
    NO_KEY,
  'core/imports/matching.ts matchVehicle: joined: matched !== null && "vin" in matched → (matched !== null)':
    "an issue has no id, and is answered as it is",
  'core/imports/matching.ts holdersOf: joined: one.vin ?? "" → (one.vin)': ALWAYS_THERE,
  "core/imports/matching.ts changedFieldsOf: condition: Object.keys(wanted).length === 0 → false":
    "a row that changes nothing is checked as well, with the same result: slower",
  'core/imports/matching.ts issuesOf: joined: outcome instanceof Failure && outcome.cause.kind === "invalid" → (outcome instanceof Failure)':
    "values fail only for being invalid: only the type does not say so",
  "core/imports/candidates.ts Candidates: joined: this.byKey.get(one) ?? [] → (this.byKey.get(one))":
    NOTHING_EITHER_WAY,
  'core/imports/corrections.ts sourceIn: joined: FILE_SOURCES.find((one) => one === type) ?? "uploads" → (FILE_SOURCES.find((one) => one === type))':
    ALWAYS_THERE,
  "core/imports/corrections.ts correctionsOf: joined: latest === undefined || saying.some((one) => isOfFile(field, one)) → (saying.some((one) => isOfFile(field, one)))":
    ALWAYS_THERE,
  "core/imports/corrections.ts correctionsOf: joined: record[field] ?? null → (record[field])": ALWAYS_THERE,
  "core/imports/corrections.ts pageAfter: condition: after === null → false":
    "every field that files say something of has a place: none is before the first",
  "core/imports/corrections.ts pageAfter: joined: items.at(-1)?.field ?? null → (items.at(-1)?.field)": ALWAYS_THERE,
  'core/imports/decide-reading.ts decideDates: joined: columns[place]?.heading ?? "" → (columns[place]?.heading)':
    ALWAYS_THERE,
  "core/imports/mending.ts mendedCells: joined: came[place] ?? null → (came[place])": NOTHING_EITHER_WAY,
  "core/imports/mending.ts makeMending: condition: row === null → false": ALWAYS_THERE,
  "core/imports/mending.ts makeMending: joined: failed.get(row) ?? [] → (failed.get(row))": ALWAYS_THERE,
  "core/imports/merge.ts mergedRow: condition: differs.length === 0 → false":
    "a row that changes nothing is gone through as well, with the same result: slower",
  "core/imports/values/own-values.ts taughtReader: condition: words.length === 0 → false":
    "looks for a word among none: slower, with the same result",
  "core/imports/values/own-values.ts taughtReader: joined: exactly.get(text) ?? (text.length > VALUE_LIMITS.length ? undefined : … → ((text.length > VALUE_LIMITS.length ? undefined : meanings.get(foldHea…":
    "words that are folded alike mean the same: each text is folded, which is slower",
  "core/imports/values/unknown-values.ts valueKnower: condition: before !== undefined → false": ASKED_AGAIN,
  "core/imports/values/unknown-values.ts valueKnower: condition: remembered.size >= MOST_REMEMBERED → true":
    ASKED_AGAIN,
  "core/imports/values/unknown-values.ts valueKnower: condition: remembered.size >= MOST_REMEMBERED → false":
    "remembers more texts of one file: only what is kept in memory meanwhile differs",
  "core/imports/values/unknown-values.ts valueKnower: comparison: remembered.size >= MOST_REMEMBERED → remembered.size > MOST_REMEMBERED":
    ASKED_AGAIN,
  "core/imports/values/unknown-values.ts withUnknownValues: joined: ofField.get(one.field) ?? 0 → (ofField.get(one.field))":
    ALWAYS_THERE,
  "core/repeats/repeats.ts makeRepeats: comparison: left < 0 → left <= 0": SAME_MOMENT,
  "core/readiness/swapped-date.ts swappedDateOf: joined: listed === null || isUsual(listed, created) → (isUsual(listed, created))":
    "nothing is no moment, and has no day and month to be exchanged",
  "core/imports/seen-rows.ts SeenRows: joined: vin !== null && keys.vins.has(vin) → (keys.vins.has(vin))": NO_KEY,
  "core/imports/seen-rows.ts SeenRows: condition: stock_number === null → false": NO_KEY,
  "core/imports/seen-rows.ts SeenRows: condition: stockNumber === null → false": NO_KEY,
  "core/imports/seen-rows.ts SeenRows: joined: stock !== undefined && (stock & CREATES_VEHICLE) !== 0 → ((stock & CREATES_VEHICLE) !== 0)":
    "nothing has no bits",
  "core/imports/seen-rows.ts SeenRows: condition: vin !== null → true": NO_KEY,
  "core/imports/seen-rows.ts SeenRows: condition: stock_number !== null → true": NO_KEY,
  "core/imports/seen-rows.ts SeenRows: joined: keys.stocks.get(stock_number) ?? 0 → (keys.stocks.get(stock_number))":
    "nothing has no bits",
  "core/imports/seen-rows.ts SeenRows: condition: vehicle_id !== null → true": NO_KEY,
  'core/sign-in/accounts.ts makeAccounts: joined: (await invitations.invite(invitation)) ?? notFound("user", id) → ((await invitations.invite(invitation)))':
    "the user was found within the same sight: only who leaves it in that moment is found no more",
  "core/keys/key-changes.ts keyRotated: joined: key.expiresAt !== null && key.expiresAt < graceEnds → (key.expiresAt < graceEnds)":
    BEFORE_NO_TIME,
  "core/keys/key-changes.ts keyRotated: comparison: key.expiresAt < graceEnds → key.expiresAt <= graceEnds":
    SAME_MOMENT,
  "adapters/portal/walk/walk-state.ts whyFull: joined: photoBytes ?? 0 → (photoBytes)": NO_PHOTO_IS_ADDED,
  "adapters/portal/walk/walk-state.ts withoutLast: joined: last === undefined || last.key === null → (last === undefined)":
    HELD_CARDS,
  "core/scheduled-changes/run.ts makeScheduleRun: condition: unique.length > 0 → true": NOTHING_TO_COMPARE,
  "core/scheduled-changes/run.ts makeScheduleRun: comparison: unique.length > 0 → unique.length >= 0":
    NOTHING_TO_COMPARE,
  "core/scheduled-changes/decision.ts decisionFor: condition: update instanceof Failure → false": NEVER_REFUSED,
  'core/scheduled-changes/decision.ts decisionFor: condition: update.cause.kind === "invalid" → true': NEVER_REFUSED,
  'core/scheduled-changes/decision.ts decisionFor: condition: update.cause.kind === "invalid" → false': NEVER_REFUSED,
  'core/scheduled-changes/decision.ts decisionFor: comparison: update.cause.kind === "invalid" → update.cause.kind !== "invalid"':
    NEVER_REFUSED,
  "core/scheduled-changes/schedule.ts scheduleRequestIn: joined: clock.parse(at) ?? at → (clock.parse(at))":
    ALWAYS_THERE,
  "core/scheduled-changes/schedule.ts issuesOf: joined: at !== null && msOf(at) > clock.nowMs() + MAX_DAYS_AHEAD * DAY_MS → (msOf(at) > clock.nowMs() + MAX_DAYS_AHEAD * DAY_MS)":
    "nothing is no time that is far ahead",
  "core/scheduled-changes/schedule.ts fieldsIn: joined: failures.length > 0 || wanted === null || wanted instanceof Failure → (failures.length > 0 || wanted === null)":
    AMONG_THE_FAILURES,
  "core/scheduled-changes/schedule.ts fieldsIn: joined: failures.length > 0 || wanted === null → (failures.length > 0)":
    AMONG_THE_FAILURES,
  "core/scheduled-changes/schedule.ts scheduleRequestIn: condition: isObject(input) → true":
    "what is no object has none of the fields, and is refused for that",
  "core/scheduled-changes/schedule.ts scheduleRequestIn: joined: body instanceof Failure || changes instanceof Failure || changes === n… → (body instanceof Failure || changes instanceof Failure)":
    AMONG_THE_FAILURES,
  "core/scheduled-changes/scheduled-changes.ts unfitFailure: joined: first !== undefined && sentList === null → (sentList === null)":
    ALWAYS_THERE,
  "core/scheduled-changes/scheduled-changes.ts makeScheduledChanges: joined: dealer_id !== undefined && { dealerId: dealer_id } → ({ dealerId: dealer_id })":
    NARROWS_NOTHING,
  "core/scheduled-changes/scheduled-changes.ts makeScheduledChanges: joined: vehicle_id !== undefined && { vehicleId: vehicle_id } → ({ vehicleId: vehicle_id })":
    NARROWS_NOTHING,
  "core/scheduled-changes/scheduled-changes.ts makeScheduledChanges: joined: state !== undefined && { state } → ({ state })":
    NARROWS_NOTHING,
  "core/scheduled-changes/schedule.ts issuesOf: joined: at !== null && at <= clock.now() → (at <= clock.now())":
    BEFORE_NO_TIME,
  "core/webhooks/after-attempt.ts isSuccess: joined: status !== null && status >= 200 → (status >= 200)":
    "no status is less than any",
  "core/webhooks/after-attempt.ts nextTry: joined: retryAfterSeconds ?? 0 → (retryAfterSeconds)": NOTHING_EITHER_WAY,
  "core/webhooks/places.ts SendingPlaces: joined: this.held.get(dealer) ?? 1 → (this.held.get(dealer))": ALWAYS_THERE,
  "core/webhooks/places.ts SendingPlaces: condition: left === 0 → false":
    "a dealer that holds none is remembered: it finds as much room",
  'adapters/sql/recent-changes/reversals.ts makeReversals: where: .where("dealer_id", "=", dealer) → nothing':
    "the change of the history was read for this dealer in the same transaction, and its other columns are its key",
  "adapters/sql/webhooks/forgetting.ts forgetting: sqlCondition: NOT EXISTS (SELECT 1 FROM webhook_deliveries WHERE webhook_id = webhoo… → 1 = 1":
    "messages of deleted webhooks go first: only one that is deleted between the two statements still has some",
  'adapters/sql/webhooks/repository.ts makeWebhookRepository: where: .where("webhook_id", "=", webhook) → nothing (3)':
    FOUND_FIRST,
  "adapters/sql/webhooks/spreading.ts statementsOf: where: .where(isInIds(db)) → nothing": LEFT_OUT_AFTER,
  "adapters/sql/webhooks/spreading.ts statementsOf: where: .where(isInIds(db)) → nothing (3)": LEFT_OUT_AFTER,
  "adapters/sql/webhooks/spreading.ts statementsOf: where: .where(isInIds(db)) → nothing (4)": LEFT_OUT_AFTER,
  'adapters/sql/webhooks/spreading.ts statementsOf: where: .where(sql<boolean>`(dealer_id IS NULL OR dealer_id IN ${among(param("… → nothing':
    LEFT_OUT_AFTER,
  'adapters/sql/webhooks/work.ts statementsOf: where: .where("webhook_id", "=", param("webhook")) → nothing':
    FOUND_FIRST,
  'adapters/sql/webhooks/work.ts statementsOf: sqlCondition: owner = ${param("owner")} → 1 = 1 (2)': FOUND_FIRST,
  "adapters/sql/report/stored-figures.ts statementsOf: sqlCondition: vehicle_id IN (SELECT id FROM vehicles WHERE ${isOfDealer} UNION SELEC… → 1 = 1":
    "finds the same rows without the index of their vehicles: slower, but nothing else changes",
  "core/keys/credentials.ts earlier: joined: other !== null && other < one → (other < one)": BEFORE_NO_TIME,
  "core/keys/credentials.ts earlier: comparison: other < one → other <= one": SAME_MOMENT,
  "core/keys/key-plan.ts longLivedIssues: joined: expiresAt !== null && expiresAt <= latest → (expiresAt <= latest)":
    "no time is later than any",
  "core/keys/key-plan.ts wantedExpiryIssues: joined: expiresAt !== null && expiresAt <= now → (expiresAt <= now)":
    BEFORE_NO_TIME,
  "core/keys/key-like.ts readingsOf: condition: one.length < SHORTEST_BASE32 → false":
    "looks into shorter texts, which hold neither: slower, with the same result",
  "core/users/users.ts makeUsers: joined: body.active !== undefined && !isOn(body.active) → (body.active !== undefined)":
    "nobody ends again what is active",
  "core/users/users.ts makeUsers: joined: body.rotate_keys ?? false → (body.rotate_keys)": NOT_SENT,
  'core/recent-changes/recent-changes.ts makeRecentChanges: joined: outcome !== "reverted" || trail.present === null → (outcome !== "reverted")':
    "only a vehicle that is there is reverted: only its type does not say so",
  "core/recent-changes/recent-changes.ts makeRecentChanges: joined: after > 0 && change.revertedBy !== null → (after > 0)":
    "no change has no id: none is found either way",
  "core/removed/removed.ts makeRemoved: joined: dealerId !== undefined && { dealerId } → ({ dealerId })":
    NOTHING_EITHER_WAY,
  "core/removed/removed.ts makeRemoved: joined: query.q !== undefined && { search: query.q } → ({ search: query.q })":
    NOTHING_EITHER_WAY,
  "core/recent-changes/reversal.ts changesSince: joined: changed.get(name)?.size ?? 0 → (changed.get(name)?.size)":
    "nothing is not more than none",
  'core/recent-changes/reversal.ts isCut: joined: typeof value === "string" && value.length > WHOLE_TEXT → (typeof value === "string")':
    NO_FEWER_UNITS,
  "core/recent-changes/reversal.ts isCut: comparison: value.length > WHOLE_TEXT → value.length >= WHOLE_TEXT":
    NO_FEWER_UNITS,
  "core/recent-changes/reversal.ts reversalOf: joined: first === undefined || wanted.size === 0 → (wanted.size === 0)":
    "without an entry there is nothing to revert: only its type does not say so",
  "core/recent-changes/reversal.ts reversalOf: comparison: entry.id > first.id → entry.id >= first.id":
    "the first entry is the change's own, all of which are left out",
  "adapters/rate-limit/counts.ts WindowCounts: condition: oldest !== undefined → true":
    "no subject is without a name: nothing is dropped",
  "core/keys/keys.ts makeKeys: condition: userId === null → false (2)": NOBODY_WITHOUT_ID,
  "core/keys/keys.ts makeKeys: condition: rotated.apiKey === null → false": ALWAYS_ROTATED,
  "core/keys/keys.ts makeKeys: condition: rotated instanceof Failure → true": ALWAYS_ROTATED,
  "core/keys/keys.ts makeKeys: joined: body.public ?? false → (body.public)": NOT_SENT,
  "core/keys/keys.ts makeKeys: joined: body.rotate ?? false → (body.rotate)": NOT_SENT,
  "core/keys/keys.ts makeKeys: joined: body.active !== undefined && !isOn(body.active) → (body.active !== undefined)":
    "nobody ends again what is active",
  'core/keys/networks.ts Networks: member: ["203.0.113.0/24", "2001:db8::/32"] → ["2001:db8::/32"]': AN_EXAMPLE,
  'core/keys/networks.ts Networks: member: ["203.0.113.0/24", "2001:db8::/32"] → ["203.0.113.0/24"]': AN_EXAMPLE,
  "core/keys/origins.ts Origins: joined: text.length <= MAX_ORIGIN && ORIGIN.test(text) → (ORIGIN.test(text))":
    "a longer text is refused for its length: it only need not be read",
  'adapters/sql/scheduled-changes/repository.ts makeScheduleRepository: where: .where("id", "=", dealer) → nothing':
    LOCKS_MORE,
  'adapters/sql/scheduled-changes/repository.ts makeScheduleRepository: where: .where("dealer_id", "=", row.dealer_id) → nothing':
    FOUND_FIRST,
  'adapters/sql/scheduled-changes/repository.ts makeScheduleRepository: where: .where("state", "=", "scheduled") → nothing':
    FOUND_FIRST,
  'adapters/sql/scheduled-changes/work.ts makeScheduleWork: where: .where("dealer_id", "=", dealerId) → nothing':
    FOUND_FIRST,
  'adapters/sql/scheduled-changes/work.ts makeScheduleWork: where: .where("dealer_id", "=", dealerId) → nothing (2)':
    FOUND_FIRST,
  'adapters/sql/photos/photos-of-addresses.ts photosOfAddresses: sqlCondition: dealer_id = ${param("dealer")} → 1 = 1':
    "what a dealer without any fetched photo has is looked for in vain: slower, but nothing else changes",
  "adapters/sql/photos/sweep.ts statementsOf: sqlCondition: photo_id = ${photo} ${db.forUpdate} → 1 = 1":
    "locks all photos instead of one: slower, but what is stored is chosen by the given one",
  "adapters/sql/photos/sweep.ts statementsOf: sqlCondition: held = 0 → 1 = 1 (2)": WRITES_AGAIN,
  "adapters/sql/photos/sweep.ts statementsOf: sqlCondition: gone = 0 → 1 = 1": WRITES_AGAIN,
  "adapters/sql/photos/sweep.ts statementsOf: sqlCondition: released_photos.photo_id = ${photo} → 1 = 1":
    "a removed vehicle that has the photo in its images has a row of the photo itself",
  "adapters/sql/jobs/jobs.ts makeJobs: where: .where(isFree(now)) → nothing":
    "the statement around it asks for the lease again, and an index lets one job of a queue have an owner",
  'adapters/sql/dealer-figures/repository.ts makeDealerFiguresRepository: where: .where("vehicles.dealer_id", "in", givenIds(db, ids)) → nothing':
    LEFT_OUT_AFTER,
  "app/commands/completion.ts optionOf: joined: option.long ?? option.flags → (option.long)": ALWAYS_THERE,
  "app/commands/options.ts numberOption: joined: option.long ?? flags → (option.long)": ALWAYS_THERE,
  'app/commands/sqlite-files.ts withFileErrors: joined: error instanceof Error && "code" in error → (error instanceof Error)':
    NO_CODE,
  "app/commands/key-table.ts stateOf: joined: key.expiresAt !== null && key.expiresAt <= now → (key.expiresAt <= now)":
    BEFORE_NO_TIME,
  "app/commands/table.ts aligned: joined: widths[column] ?? 0 → (widths[column]) (2)": ALWAYS_THERE,
  'app/commands/import.ts startReading: joined: FORMAT_TYPES.get(format) ?? "" → (FORMAT_TYPES.get(format))':
    ALWAYS_THERE,
  "app/commands/import.ts startReading: condition: format === undefined → false":
    "what is not said has no media type in the list, either",
  "app/seed/picturing.ts picturesFor: joined: dealerIds[vehicle.dealer] ?? 0 → (dealerIds[vehicle.dealer])":
    ALWAYS_THERE,
  "app/seed/picturing.ts picturesFor: joined: dealerIds[0] ?? 0 → (dealerIds[0])": ALWAYS_THERE,
};
