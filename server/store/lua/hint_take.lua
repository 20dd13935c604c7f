-- Takes the question that has waited longest under a lease: it waits again when the lease is over, unless it is done.
-- KEYS    1 queue, 2 takes, 3 versions
-- ARGV    1 lease_ms
-- answer  {attempt, how often it was taken, this time included}, or nothing when nobody waits
return function(keys, args)
  local attempt = take_first(keys[1], args[1])
  if not attempt then return false end
  return {attempt, redis.call('HINCRBY', keys[2], attempt, 1)}
end
