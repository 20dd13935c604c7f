-- Adds points on a board of sums, once for each key; scores are points with a minus, so that most come first.
-- KEYS    1 ranking, 2 rows, 3 hidden (member -> score, inf for none), 4 stamp, 5 posted
-- ARGV    1 member, 2 points, 3 what they are for, 4 row (JSON)
-- answer  1, or 0 when they had been added before
return function(keys, args)
  if redis.call('HSETNX', keys[5], args[3] .. ' ' .. args[1], args[2]) == 0 then return 0 end
  local hidden = redis.call('ZSCORE', keys[3], args[1])
  local ranking = hidden and keys[3] or keys[1]
  local score = -tonumber(args[2])
  if hidden ~= 'inf' then score = score + tonumber(redis.call('ZSCORE', ranking, args[1]) or 0) end
  redis.call('ZADD', ranking, string.format('%.0f', score), args[1])
  redis.call('HSET', keys[2], args[1], args[4])
  redis.call('INCR', keys[4])
  return 1
end
