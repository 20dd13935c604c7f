-- Where a record stands in the queue.
-- KEYS    1 queue, 2 records, 3 takes, 4 askers
-- ARGV    1 attempt
-- answer  {1 if a worker is at it, how many come before it, those that are worked at included}, nothing if not there
return function(keys, args)
  local at = redis.call('ZSCORE', keys[1], args[1])
  if not at then return false end
  if tonumber(at) >= HELD then return {1, 0} end
  return {0, redis.call('ZRANK', keys[1], args[1]) + redis.call('ZCOUNT', keys[1], HELD, '+inf')}
end
