-- Shared by what keeps a player's results: tallies, times and runs of days follow from the rows and from nothing else.
local function add_day(runs, tallies, day)
  -- Runs of days in a row: first day -> last day. A day joins the run before it and the run behind it.
  local at_or_after = redis.call('ZRANGE', runs, day, '+inf', 'BYSCORE', 'LIMIT', 0, 1)[1]
  if at_or_after and tonumber(at_or_after) <= day then return end
  local first = redis.call('ZRANGE', runs, day - 1, day - 1, 'BYSCORE')[1] or string.format('%d', day)
  local behind = string.format('%d', day + 1)
  local last = tonumber(redis.call('ZSCORE', runs, behind) or day)
  redis.call('ZREM', runs, behind)
  redis.call('ZADD', runs, last, first)
  local longest = tonumber(redis.call('HGET', tallies, 'longest') or 0)
  redis.call('HSET', tallies, 'longest', string.format('%d', math.max(longest, last - tonumber(first) + 1)))
end

local function tally_result(keys, race, text, sign)
  -- Takes a row in (sign 1) or out (-1), under its variant and under its variant and grade. Only finishes have a time,
  -- only a daily's places are summed up, and a day that was played stays so.
  local row = cjson.decode(text)
  for _, name in ipairs({row.variant, row.variant .. ':' .. row.grade}) do
    redis.call('HINCRBY', keys[3], name .. ' attempts', sign)
    if row['end'] == 'finished' then
      redis.call('HINCRBY', keys[3], name .. ' finished', sign)
      local member = string.format('%s %015.0f %s', name, row.at_ms, race)
      if sign > 0 then redis.call('ZADD', keys[4], 0, member) else redis.call('ZREM', keys[4], member) end
    end
    if row.day and row.place then
      redis.call('HINCRBY', keys[3], name .. ' placed', sign)
      redis.call('HINCRBY', keys[3], name .. ' places', string.format('%d', sign * row.place))
    end
  end
  if row.day and sign > 0 then add_day(keys[5], keys[3], row.day) end
end
