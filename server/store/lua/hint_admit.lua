-- May this player ask for a hint now? Yes counts as one asked for. Questions that nobody has taken are dropped.
-- KEYS    1 attempts that wait, 2 how many the player has asked for in this minute
-- ARGV    1 player, 2 drop what has waited since this ms or before, 3 most that may wait, 4 most a minute
-- answer  1 or 0
return function(keys, args)
  local call = redis.call
  call('ZREMRANGEBYSCORE', keys[1], '-inf', args[2])
  local waiting = call('ZRANGE', keys[1], 0, -1)
  if #waiting >= tonumber(args[3]) then return 0 end
  for _, attempt in ipairs(waiting) do
    if string.match(attempt, '[^.]*$') == args[1] then return 0 end
  end
  if tonumber(call('GET', keys[2]) or 0) >= tonumber(args[4]) then return 0 end
  if call('INCR', keys[2]) == 1 then call('PEXPIRE', keys[2], 60000) end
  return 1
end
