-- Notes in a player's row which name is being claimed, before the name itself is taken.
-- KEYS    1 player
-- ARGV    1 key of the name
-- answer  {'claiming', key of a name that an interrupted claim may have left taken, or ''} |
--         {'claimed', key of the name the player has} | {'unknown'}
return function(keys, args)
  if redis.call('EXISTS', keys[1]) == 0 then return {'unknown'} end
  local state = redis.call('HMGET', keys[1], 'name_key', 'claiming')
  if state[1] then return {'claimed', state[1]} end
  redis.call('HSET', keys[1], 'claiming', args[1])
  local before = state[2] or ''
  return {'claiming', before ~= args[1] and before or ''}
end
