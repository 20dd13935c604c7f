-- Where a record stands in the queue.
-- KEYS    1 due, 2 records, 3 takes, 4 askers
-- ARGV    1 attempt
-- answer  {1 if a worker is at it, how many come before it, those that are worked at included}, nothing if not there
return function(keys, args)
  local due = redis.call('ZSCORE', keys[1], args[1])
  if not due then return false end
  local now = now_ms()
  if tonumber(due) > now then return {1, 0} end
  local working = redis.call('ZCOUNT', keys[1], '(' .. stamp(now), '+inf')
  return {0, redis.call('ZRANK', keys[1], args[1]) + working}
end
