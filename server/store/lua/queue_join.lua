-- Waits for an opponent, or is paired with who has waited longest and still beats; the pair is recorded at once.
-- KEYS    1 waiting, 2 beats, 3 pairs, 4 paired
-- ARGV    1 player, 2 now_ms, 3 silent_ms, 4 race id for a pair
-- answer  {race, 'player player'} of the pair made now or before, or nothing while waiting
return function(keys, args)
  local player, now_ms = args[1], tonumber(args[2])
  local pair = pair_of(keys, player)
  if pair then return pair end
  redis.call('ZREM', keys[1], player)
  drop_silent(keys, now_ms, tonumber(args[3]))
  local other = redis.call('ZRANGE', keys[1], 0, 0)[1]
  if not other then
    redis.call('ZADD', keys[1], args[2], player)
    redis.call('HSET', keys[2], player, args[2])
    return false
  end
  redis.call('ZREM', keys[1], other)
  redis.call('HDEL', keys[2], other, player)
  local players = other .. ' ' .. player
  redis.call('HSET', keys[3], args[4], players)
  redis.call('HSET', keys[4], other, args[4], player, args[4])
  return {args[4], players}
end
