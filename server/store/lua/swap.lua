-- Sets a text to another if it is as expected ('' means: not there).
-- KEYS    1 the text
-- ARGV    1 expected, 2 the new one
-- answer  1 when it is the new one now, 0 when it was neither
return function(keys, args)
  local current = redis.call('GET', keys[1]) or ''
  if current == args[2] then return 1 end
  if current ~= args[1] then return 0 end
  if args[2] == '' then redis.call('DEL', keys[1]) else redis.call('SET', keys[1], args[2]) end
  return 1
end
