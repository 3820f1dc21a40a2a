/**
 * The beginning of both scripts, which advances the subject's minute. KEYS[1] is the only key of a subject, so that a
 * subject is on one node of a cluster. ARGV[1] is the length of the window in milliseconds. ARGV[2] is the time in
 * milliseconds, or empty for the server's own time.
 */
const ADVANCE_MINUTE = `
local window, now = tonumber(ARGV[1]), tonumber(ARGV[2])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local minute = math.floor(now / window)
local known = redis.call('HMGET', KEYS[1], 'minute', 'current', 'previous')
local counted, current, previous = tonumber(known[1]), tonumber(known[2]) or 0, tonumber(known[3]) or 0
-- A clock that was set back a little goes on counting in the minute it had reached. A window that lies further ahead is
-- begun anew: until that moment comes again its subject would be locked out.
if counted == nil or minute > counted or minute < counted - 1 then
  previous = counted == minute - 1 and current or 0
  current = 0
else
  minute = counted
end
local elapsed = math.max(0, now - minute * window)
local function keep(kept, before)
  redis.call('HSET', KEYS[1], 'minute', minute, 'current', kept, 'previous', before)
  redis.call('PEXPIRE', KEYS[1], 2 * window)
end
`;

/**
 * The sliding window in Redis as one atomic step: applies `judge` of core with the limit ARGV[3], and counts the
 * request if it is admitted. Returns the arguments of `judge`: the number of requests before this one in the previous
 * minute and in this one, the milliseconds of this minute that have passed, and the number of the minute.
 */
export const WINDOW_SCRIPT = `${ADVANCE_MINUTE}
local limit = tonumber(ARGV[3])
if math.floor(limit - (previous * (window - elapsed)) / window - current) >= 1 then keep(current + 1, previous) end
return { previous, current, elapsed, minute }
`;

/**
 * Adds requests that were admitted without asking: ARGV[3] in this minute and ARGV[4] in the previous one. ARGV[5] and
 * ARGV[6] are the store's earlier counts in the minute ARGV[7]. The counts are at least that high, even if a restarted
 * store has forgotten them. Returns the same as the other script.
 */
export const ADD_SCRIPT = `${ADVANCE_MINUTE}
local kept, before, of = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
if of == minute then
  current, previous = math.max(current, kept), math.max(previous, before)
elseif of == minute - 1 then
  previous = math.max(previous, kept)
end
current = math.max(0, current + tonumber(ARGV[3]))
previous = math.max(0, previous + tonumber(ARGV[4]))
keep(current, previous)
return { previous, current, elapsed, minute }
`;
