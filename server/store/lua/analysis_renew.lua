-- Holds what was taken for another lease, while it is worked at.
-- KEYS    1 queue, 2 records, 3 takes, 4 askers
-- ARGV    1 attempt, 2 lease_ms
-- answer  1, or 0 when it was brought back already
return function(keys, args)
  if not redis.call('ZSCORE', keys[1], args[1]) then return 0 end
  hold(keys[1], args[1], args[2])
  return 1
end
