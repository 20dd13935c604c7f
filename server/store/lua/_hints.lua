-- KEYS of all hint functions: 1 queue, 2 takes, 3 versions; of those that admit also 4 how many the player has asked for
-- in this minute, 5 what the address asked for, missing for one without a share. ARGV of those: 1 attempt, 2 player, 3 most
-- that may wait, 4 most a minute, 5 most of one address, 6 ms for which it is remembered what an address asked for.
local function admit_hint(keys, args)
  -- May this player ask now? Yes counts as one asked for.
  local call = redis.call
  local waiting = call('ZRANGE', keys[1], 0, -1)
  if #waiting >= tonumber(args[3]) then return false end
  for _, attempt in ipairs(waiting) do
    local is_mine = string.match(attempt, '[^.]*$') == args[2]
    if is_mine and call('HEXISTS', keys[2], attempt) == 0 then return false end
  end
  if keys[5] and not has_share(keys[1], keys[5], args[5]) then return false end
  if tonumber(call('GET', keys[4]) or 0) >= tonumber(args[4]) then return false end
  if call('INCR', keys[4]) == 1 then call('PEXPIRE', keys[4], 60000) end
  if keys[5] then note_share(keys[5], args[1], args[6]) end
  return true
end
