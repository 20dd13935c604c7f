-- A player's tallies, best and median times, and runs of days.
-- flags   no-writes
-- KEYS    1 results, 2 rows, 3 tallies, 4 times, 5 runs of days, as of player_result
-- answer  {{field, number, ...} of the tallies, {name, best, race of the best, the two times in the middle, ...},
--         first and last day of the latest run, or neither}
return function(keys)
  local tallies = redis.call('HGETALL', keys[3])
  local times = {}
  for number = 1, #tallies, 2 do
    local name = string.match(tallies[number], '^(.+) finished$')
    local finished = tonumber(tallies[number + 1])
    if name and finished > 0 then
      local first = redis.call('ZLEXCOUNT', keys[4], '-', '(' .. name .. ' ')
      local function at(place)
        return string.match(redis.call('ZRANGE', keys[4], first + place, first + place)[1], ' (%d+) (.+)$')
      end
      local best, race = at(0)
      local low, high = at(math.floor((finished - 1) / 2)), at(math.floor(finished / 2))
      for _, word in ipairs({name, best, race, low, high}) do times[#times + 1] = word end
    end
  end
  return {tallies, times, redis.call('ZRANGE', keys[5], -1, -1, 'WITHSCORES')}
end
