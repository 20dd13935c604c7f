-- Notes that a player was seen with a device or from an address; forgotten after a while.
-- KEYS    1 the mark
-- ARGV    1 player, 2 ttl_ms
-- answer  all players seen with it, this one too
return function(keys, args)
  redis.call('SADD', keys[1], args[1])
  redis.call('PEXPIRE', keys[1], args[2])
  return redis.call('SMEMBERS', keys[1])
end
