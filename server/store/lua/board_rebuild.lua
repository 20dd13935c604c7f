-- Replaces all rows of a board, if nothing was posted since the stamp was read. Hidden members stay hidden; one that is
-- given no row keeps what it had, for whoever collects rows may not see it.
-- KEYS    1 ranking, 2 rows, 3 hidden, 4 stamp, 5 posted
-- ARGV    1 stamp as read before, 2 how many rows, then member, score and row (JSON) of each, then what points
--         are for with their member, and points, of each
-- answer  1, or 0 when something was posted meanwhile
return function(keys, args)
  if (redis.call('GET', keys[4]) or '0') ~= args[1] then return 0 end
  local past = 3 + 3 * tonumber(args[2])
  local unseen, kept = {}, {}
  local hidden = redis.call('ZRANGE', keys[3], 0, -1, 'WITHSCORES')
  for number = 1, #hidden, 2 do unseen[hidden[number]] = hidden[number + 1] end
  for number = 3, past - 1, 3 do unseen[args[number]] = nil end
  for member in pairs(unseen) do kept[member] = redis.call('HGET', keys[2], member) or nil end
  local posted = next(unseen) and redis.call('HGETALL', keys[5]) or {}

  redis.call('DEL', keys[1], keys[2], keys[3], keys[5])
  for number = 1, #hidden, 2 do
    redis.call('ZADD', keys[3], unseen[hidden[number]] or 'inf', hidden[number])
  end
  for member, row in pairs(kept) do redis.call('HSET', keys[2], member, row) end
  for number = 1, #posted, 2 do
    if unseen[string.match(posted[number], '%S+$')] then redis.call('HSET', keys[5], posted[number], posted[number + 1]) end
  end
  for number = 3, past - 1, 3 do
    local ranking = redis.call('ZSCORE', keys[3], args[number]) and keys[3] or keys[1]
    redis.call('ZADD', ranking, args[number + 1], args[number])
    redis.call('HSET', keys[2], args[number], args[number + 2])
  end
  for number = past, #args, 2 do redis.call('HSET', keys[5], args[number], args[number + 1]) end
  redis.call('INCR', keys[4])
  return 1
end
