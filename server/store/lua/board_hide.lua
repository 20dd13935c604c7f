-- Hides a member, whether or not it has a row; its score is kept aside.
-- KEYS    1 ranking, 2 rows, 3 hidden, 4 stamp
-- ARGV    1 member
-- answer  1, or 0 when it was hidden before
return function(keys, args)
  if redis.call('ZSCORE', keys[3], args[1]) then return 0 end
  redis.call('ZADD', keys[3], redis.call('ZSCORE', keys[1], args[1]) or 'inf', args[1])
  redis.call('ZREM', keys[1], args[1])
  redis.call('INCR', keys[4])
  return 1
end
