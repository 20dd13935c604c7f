-- Takes what has waited longest under a lease: it waits again when the lease is over, unless it was brought back.
-- KEYS    1 queue, 2 records, 3 takes, 4 askers
-- ARGV    1 lease_ms
-- answer  {attempt, record, how often it was taken, this time included}, or nothing when nothing waits
return function(keys, args)
  local attempt = take_first(keys[1], args[1])
  if not attempt then return false end
  local takes = redis.call('HINCRBY', keys[3], attempt, 1)
  return {attempt, redis.call('HGET', keys[2], attempt) or '', takes}
end
