-- Takes what is due under a lease: it comes due again when the lease is over, unless it is done or scheduled anew. A lease
-- that lasts longer than two can is over: the clock has stepped back since it was taken.
-- KEYS    1 due, 2 leases
-- ARGV    1 now_ms, 2 owner, 3 lease_ms, 4 most names
-- answer  the names taken
return function(keys, args)
  local leases = redis.call('HGETALL', keys[2])
  for at = 1, #leases, 2 do
    local until_ms = string.match(leases[at + 1], '^%d+')
    local is_held = redis.call('ZSCORE', keys[1], leases[at]) == until_ms
    if is_held and tonumber(until_ms) > args[1] + 2 * args[3] then redis.call('ZADD', keys[1], args[1], leases[at]) end
  end
  local names = redis.call('ZRANGE', keys[1], '-inf', args[1], 'BYSCORE', 'LIMIT', 0, args[4])
  local until_ms = string.format('%.0f', args[1] + args[3])
  for _, name in ipairs(names) do
    redis.call('ZADD', keys[1], until_ms, name)
    redis.call('HSET', keys[2], name, until_ms .. ' ' .. args[2])
  end
  return names
end
