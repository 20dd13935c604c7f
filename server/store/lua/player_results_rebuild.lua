-- Drops results that should not be there and makes tallies, times and runs of days anew from the rows that stay.
-- KEYS    1 results, 2 rows, 3 tallies, 4 times, 5 runs of days, as of player_result
-- ARGV    1 and further: the races whose results are dropped
-- answer  how many rows there are
return function(keys, args)
  for _, race in ipairs(args) do
    redis.call('ZREM', keys[1], race)
    redis.call('HDEL', keys[2], race)
  end
  redis.call('DEL', keys[3], keys[4], keys[5])
  local rows = redis.call('HGETALL', keys[2])
  for number = 1, #rows, 2 do tally_result(keys, rows[number], rows[number + 1], 1) end
  return #rows / 2
end
