-- Notes how many attempts a race of a variant had and how many finished; what was noted of it before is taken out. Of
-- quick matches the latest are remembered one by one, older ones in the totals alone.
-- KEYS    1 totals (grade and attempts or finished -> number), 2 races (race -> grade, attempts, finished),
--         3 quick matches (race -> when it closed)
-- ARGV    1 race, 2 grade, 3 attempts, 4 finished, 5 when a quick match closed, else empty, 6 how many are remembered
-- answer  1, or 0 when it was noted so before, or closed before all that are remembered
return function(keys, args)
  local call = redis.call
  local function add(grade, attempts, finished, sign)
    call('HINCRBY', keys[1], grade .. ' attempts', string.format('%d', sign * tonumber(attempts)))
    call('HINCRBY', keys[1], grade .. ' finished', string.format('%d', sign * tonumber(finished)))
  end
  local text = args[2] .. ' ' .. args[3] .. ' ' .. args[4]
  local before = call('HGET', keys[2], args[1])
  if before == text then return 0 end
  local quick_ms, most = tonumber(args[5]), tonumber(args[6])
  if quick_ms and not before and call('ZCARD', keys[3]) >= most then
    local oldest = call('ZRANGE', keys[3], 0, 0, 'WITHSCORES')[2]
    if quick_ms < tonumber(oldest) then return 0 end
  end
  if before then
    local grade, attempts, finished = string.match(before, '^(%S+) (%d+) (%d+)$')
    add(grade, attempts, finished, -1)
  end
  call('HSET', keys[2], args[1], text)
  add(args[2], args[3], args[4], 1)
  if quick_ms then
    call('ZADD', keys[3], args[5], args[1])
    for _, race in ipairs(call('ZRANGE', keys[3], 0, -1 - most)) do
      call('HDEL', keys[2], race)
      call('ZREM', keys[3], race)
    end
  end
  return 1
end
