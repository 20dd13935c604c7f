-- Queues a record to be analysed, once, unless too many wait or too many of this asker's do.
-- KEYS    1 due, 2 records, 3 takes, 4 askers
-- ARGV    1 attempt, 2 record, 3 asker, 4 most that may wait, 5 most of one asker
-- answer  'queued', 'there', 'many' (of this asker's wait) or 'full'
return function(keys, args)
  if redis.call('ZSCORE', keys[1], args[1]) then return 'there' end
  local mine = 0
  for _, asker in ipairs(redis.call('HVALS', keys[4])) do
    if asker == args[3] then mine = mine + 1 end
  end
  if mine >= tonumber(args[5]) then return 'many' end
  if redis.call('ZCARD', keys[1]) >= tonumber(args[4]) then return 'full' end
  redis.call('ZADD', keys[1], stamp(now_ms()), args[1])
  redis.call('HSET', keys[2], args[1], args[2])
  redis.call('HSET', keys[4], args[1], args[3])
  return 'queued'
end
