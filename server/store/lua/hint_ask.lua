-- Puts the question that an attempt asks by its log to those that wait; one that has no place is admitted first.
-- KEYS    1 queue, 2 takes, 3 versions, 4 the player's pace, 5 the address's share
-- ARGV    1 attempt, 2 player, 3 most that may wait, 4 most a minute, 5 most of one address, 6 share_ms, 7 version
-- answer  1, or 0 when it was not admitted
return function(keys, args)
  local at = tonumber(redis.call('ZSCORE', keys[1], args[1]) or nil)
  if not at and not admit_hint(keys, args) then return 0 end
  local is_reserved = at and at >= HELD and redis.call('HEXISTS', keys[2], args[1]) == 0
  if not at or is_reserved then wait_last(keys[1], args[1]) end
  redis.call('HSET', keys[3], args[1], args[7])
  return 1
end
