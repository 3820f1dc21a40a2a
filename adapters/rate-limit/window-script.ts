/**
 * The sliding window inside Redis, in one atomic step: moves the subject's minute on, applies the rule of core's
 * `judge` and counts the request if it is admitted. Answers what `judge` is to be asked with: the requests counted
 * before this one, in the previous minute and in this one, and the milliseconds of this minute that have passed.
 *
 * KEYS[1] holds one subject, all of it, so that it lives on one node of a cluster. ARGV: the limit, the window in
 * milliseconds, and the time in milliseconds or nothing for the server's own.
 */
export const WINDOW_SCRIPT = `
local limit, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local now = tonumber(ARGV[3])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local minute = math.floor(now / window)
local known = redis.call('HMGET', KEYS[1], 'minute', 'current', 'previous')
local counted, current, previous = tonumber(known[1]), tonumber(known[2]) or 0, tonumber(known[3]) or 0
-- A clock that was set back goes on counting in the minute it had reached.
if counted == nil or minute > counted then
  previous = counted == minute - 1 and current or 0
  current = 0
else
  minute = counted
end
local elapsed = math.max(0, now - minute * window)
if math.floor(limit - (previous * (window - elapsed)) / window - current) >= 1 then
  redis.call('HSET', KEYS[1], 'minute', minute, 'current', current + 1, 'previous', previous)
  redis.call('PEXPIRE', KEYS[1], 2 * window)
end
return { previous, current, elapsed }
`;
