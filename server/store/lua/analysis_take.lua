-- Takes what has waited longest under a lease: it waits again when the lease is over, unless it was brought back.
-- KEYS    1 due, 2 records, 3 takes, 4 askers
-- ARGV    1 lease_ms
-- answer  {attempt, record, how often it was taken, this time included}, or nothing when nothing waits
return function(keys, args)
  local now = now_ms()
  local attempt = redis.call('ZRANGE', keys[1], '-inf', stamp(now), 'BYSCORE', 'LIMIT', 0, 1)[1]
  if not attempt then return false end
  redis.call('ZADD', keys[1], stamp(now + args[1]), attempt)
  local takes = redis.call('HINCRBY', keys[3], attempt, 1)
  return {attempt, redis.call('HGET', keys[2], attempt) or '', takes}
end
