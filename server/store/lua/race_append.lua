-- Appends events to a race's log if it is as long as expected, and tells the race's channel.
-- KEYS    1 race log
-- ARGV    1 expected length, 2 channel, 3... events (JSON)
-- answer  1 when the events stand there now (also when they did before: a resend), 0 when the log went another way
return function(keys, args)
  local expected = tonumber(args[1])
  local length = redis.call('LLEN', keys[1])
  if length ~= expected then
    local there = redis.call('LRANGE', keys[1], expected, expected + #args - 3)
    for number = 3, #args do
      if there[number - 2] ~= args[number] then return 0 end
    end
    return 1
  end
  redis.call('RPUSH', keys[1], unpack(args, 3))
  for number = 3, #args do
    redis.call('PUBLISH', args[2], string.format('{"seq":%d,"event":', expected + number - 2) .. args[number] .. '}')
  end
  return 1
end
