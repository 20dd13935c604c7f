-- Makes a race once: whoever comes first says what it is.
-- KEYS    1 race log, 2 its secret
-- ARGV    1 deal code or '' for none, 2 nonce, 3... its first events
-- answer  the race's log as it stands
return function(keys, args)
  if redis.call('EXISTS', keys[1]) == 0 then
    redis.call('RPUSH', keys[1], unpack(args, 3))
    if args[1] ~= '' then redis.call('HSET', keys[2], 'deal', args[1], 'nonce', args[2]) end
  end
  return redis.call('LRANGE', keys[1], 0, -1)
end
