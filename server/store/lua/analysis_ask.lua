-- Queues a record to be analysed, once, unless too many wait or too many of this asker's or this address's do.
-- KEYS    1 queue, 2 records, 3 takes, 4 askers, 5 what the address asked for, missing for one without a share
-- ARGV    1 attempt, 2 record, 3 asker, 4 most that may wait, 5 most of one asker, 6 most of one address, 7 ms for which
--         it is remembered what an address asked for
-- answer  'queued', 'there', 'many' (of this asker's wait), 'share' (is used up) or 'full'
return function(keys, args)
  if redis.call('ZSCORE', keys[1], args[1]) then return 'there' end
  local mine = 0
  for _, asker in ipairs(redis.call('HVALS', keys[4])) do
    if asker == args[3] then mine = mine + 1 end
  end
  if mine >= tonumber(args[5]) then return 'many' end
  if keys[5] and not has_share(keys[1], keys[5], args[6]) then return 'share' end
  if redis.call('ZCARD', keys[1]) >= tonumber(args[4]) then return 'full' end
  wait_last(keys[1], args[1])
  redis.call('HSET', keys[2], args[1], args[2])
  redis.call('HSET', keys[4], args[1], args[3])
  if keys[5] then note_share(keys[5], args[1], args[7]) end
  return 'queued'
end
