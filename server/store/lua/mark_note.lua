-- Notes when a player was last seen with a device or from an address; who was seen too long ago is forgotten, and of
-- too many the ones seen longest ago.
-- KEYS    1 the mark
-- ARGV    1 player, 2 now_ms, 3 ttl_ms, 4 how many are kept
-- answer  1
return function(keys, args)
  redis.call('ZADD', keys[1], 'GT', args[2], args[1])
  redis.call('ZREMRANGEBYSCORE', keys[1], '-inf', string.format('(%.0f', tonumber(args[2]) - tonumber(args[3])))
  redis.call('ZREMRANGEBYRANK', keys[1], 0, -1 - tonumber(args[4]))
  redis.call('PEXPIRE', keys[1], args[3])
  return 1
end
