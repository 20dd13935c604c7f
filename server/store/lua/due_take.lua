-- Takes what is due under a lease: it comes due again when the lease is over, unless it is done or scheduled anew.
-- KEYS    1 due, 2 leases
-- ARGV    1 now_ms, 2 owner, 3 lease_ms, 4 most names
-- answer  the names taken
return function(keys, args)
  local names = redis.call('ZRANGE', keys[1], '-inf', args[1], 'BYSCORE', 'LIMIT', 0, args[4])
  local until_ms = string.format('%.0f', args[1] + args[3])
  for _, name in ipairs(names) do
    redis.call('ZADD', keys[1], until_ms, name)
    redis.call('HSET', keys[2], name, until_ms .. ' ' .. args[2])
  end
  return names
end
