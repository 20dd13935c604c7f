-- Posts a score to a board on which the smallest counts; a hidden member's is kept aside.
-- KEYS    1 ranking, 2 rows, 3 hidden (member -> score, inf for none), 4 stamp
-- ARGV    1 member, 2 score, 3 row (JSON)
-- answer  1 when it is the member's best so far, else 0
return function(keys, args)
  local ranking = redis.call('ZSCORE', keys[3], args[1]) and keys[3] or keys[1]
  local before = redis.call('ZSCORE', ranking, args[1])
  if before and tonumber(before) <= tonumber(args[2]) then return 0 end
  redis.call('ZADD', ranking, args[2], args[1])
  redis.call('HSET', keys[2], args[1], args[3])
  redis.call('INCR', keys[4])
  return 1
end
