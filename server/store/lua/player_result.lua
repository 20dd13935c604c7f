-- Notes a result of a player, once for its race; one with a place is not replaced by one without.
-- KEYS    1 results (race -> minus the end, so that the latest come first), 2 rows, 3 tallies, 4 times, 5 runs of days
-- ARGV    1 race, 2 when it ended (ms), 3 row (JSON), 4 how many are kept, the latest
-- answer  1, or 0 when nothing changed
return function(keys, args)
  local before = redis.call('HGET', keys[2], args[1])
  if before == args[3] then return 0 end
  if before then
    if cjson.decode(before).place and not cjson.decode(args[3]).place then return 0 end
    tally_result(keys, args[1], before, -1)
  end
  redis.call('HSET', keys[2], args[1], args[3])
  redis.call('ZADD', keys[1], '-' .. args[2], args[1])
  tally_result(keys, args[1], args[3], 1)
  for _, race in ipairs(redis.call('ZRANGE', keys[1], args[4], -1)) do
    tally_result(keys, race, redis.call('HGET', keys[2], race), -1)
    redis.call('HDEL', keys[2], race)
    redis.call('ZREM', keys[1], race)
  end
  return 1
end
