-- Takes a record out of the queue, when its analysis is kept.
-- KEYS    1 queue, 2 records, 3 takes, 4 askers
-- ARGV    1 attempt
-- answer  1, or 0 when it was not there
return function(keys, args)
  redis.call('HDEL', keys[2], args[1])
  redis.call('HDEL', keys[3], args[1])
  redis.call('HDEL', keys[4], args[1])
  return redis.call('ZREM', keys[1], args[1])
end
