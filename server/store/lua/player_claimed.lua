-- Ends the claim of a name: with the name as written when it was taken, without when somebody else had it.
-- KEYS    1 player
-- ARGV    1 key of the name, 2 the name or '', 3 now_ms
-- answer  1, or 0 when another claim of the same player came between
return function(keys, args)
  local state = redis.call('HMGET', keys[1], 'name_key', 'claiming')
  if state[1] then return state[1] == args[1] and 1 or 0 end
  if state[2] ~= args[1] then return 0 end
  redis.call('HDEL', keys[1], 'claiming')
  if args[2] ~= '' then
    redis.call('HSET', keys[1], 'name_key', args[1], 'name', args[2], 'claimed_ms', args[3])
  end
  return 1
end
