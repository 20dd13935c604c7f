-- Notes a day in a player's row; the earliest stays.
-- KEYS    1 player
-- ARGV    1 day
-- answer  the earliest day
return function(keys, args)
  local before = tonumber(redis.call('HGET', keys[1], 'first_day'))
  local day = tonumber(args[1])
  if before and before <= day then return before end
  if redis.call('EXISTS', keys[1]) == 1 then redis.call('HSET', keys[1], 'first_day', args[1]) end
  return day
end
