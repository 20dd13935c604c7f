-- Forgets a pair whose race has been made.
-- KEYS    1 waiting, 2 beats, 3 pairs, 4 paired
-- ARGV    1 race
-- answer  1, or 0 when it was settled before
return function(keys, args)
  local players = redis.call('HGET', keys[3], args[1])
  if not players then return 0 end
  for player in string.gmatch(players, '%S+') do
    if redis.call('HGET', keys[4], player) == args[1] then redis.call('HDEL', keys[4], player) end
  end
  redis.call('HDEL', keys[3], args[1])
  return 1
end
