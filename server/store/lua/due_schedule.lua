-- Schedules a name: the earliest time wins, but a lease gives way to any time.
-- KEYS    1 due, 2 leases
-- ARGV    1 name, 2 at_ms
-- answer  1
return function(keys, args)
  local lease = redis.call('HGET', keys[2], args[1])
  if lease and string.match(lease, '^%d+') == redis.call('ZSCORE', keys[1], args[1]) then
    redis.call('ZADD', keys[1], args[2], args[1])
  else
    redis.call('ZADD', keys[1], 'LT', args[2], args[1])
  end
  if lease then redis.call('HDEL', keys[2], args[1]) end
  return 1
end
