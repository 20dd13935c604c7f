-- Notes how many attempts a race of a variant had and how many finished; what was noted of it before is taken out.
-- KEYS    1 totals (grade and attempts or finished -> number), 2 races (race -> grade, attempts, finished)
-- ARGV    1 race, 2 grade, 3 attempts, 4 finished
-- answer  1, or 0 when it was noted so before
return function(keys, args)
  local function add(grade, attempts, finished, sign)
    redis.call('HINCRBY', keys[1], grade .. ' attempts', string.format('%d', sign * tonumber(attempts)))
    redis.call('HINCRBY', keys[1], grade .. ' finished', string.format('%d', sign * tonumber(finished)))
  end
  local text = args[2] .. ' ' .. args[3] .. ' ' .. args[4]
  local before = redis.call('HGET', keys[2], args[1])
  if before == text then return 0 end
  if before then
    local grade, attempts, finished = string.match(before, '^(%S+) (%d+) (%d+)$')
    add(grade, attempts, finished, -1)
  end
  redis.call('HSET', keys[2], args[1], text)
  add(args[2], args[3], args[4], 1)
  return 1
end
