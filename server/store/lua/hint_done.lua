-- Takes a question out of the queue, or has it wait again if meanwhile a later version was asked about; tells the channel.
-- KEYS    1 queue, 2 takes, 3 versions
-- ARGV    1 attempt, 2 version that was looked at, 3 channel, 4 what to tell it, empty for nothing
-- answer  1
return function(keys, args)
  redis.call('HDEL', keys[2], args[1])
  if tonumber(redis.call('HGET', keys[3], args[1]) or 0) > tonumber(args[2]) then
    wait_last(keys[1], args[1])
  else
    redis.call('HDEL', keys[3], args[1])
    redis.call('ZREM', keys[1], args[1])
  end
  if args[4] ~= '' then redis.call('PUBLISH', args[3], args[4]) end
  return 1
end
