-- Shows a member again, with what was posted meanwhile.
-- KEYS    1 ranking, 2 rows, 3 hidden, 4 stamp
-- ARGV    1 member
-- answer  1, or 0 when it was not hidden
return function(keys, args)
  local score = redis.call('ZSCORE', keys[3], args[1])
  if not score then return 0 end
  redis.call('ZREM', keys[3], args[1])
  if score ~= 'inf' then redis.call('ZADD', keys[1], score, args[1]) end
  redis.call('INCR', keys[4])
  return 1
end
