-- Says that who waits is still there.
-- KEYS    1 waiting, 2 beats
-- ARGV    1 player, 2 now_ms
-- answer  1, or 0 when the player does not wait (any more)
return function(keys, args)
  if not redis.call('ZSCORE', keys[1], args[1]) then return 0 end
  redis.call('HSET', keys[2], args[1], args[2])
  return 1
end
