-- Stops waiting.
-- KEYS    1 waiting, 2 beats, 3 pairs, 4 paired
-- ARGV    1 player
-- answer  {race, 'player player'} when a pair had been made before, else nothing
return function(keys, args)
  local pair = pair_of(keys, args[1])
  if pair then return pair end
  redis.call('ZREM', keys[1], args[1])
  redis.call('HDEL', keys[2], args[1])
  return false
end
