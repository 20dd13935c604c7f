-- Opens an attempt from a new connection: makes it when there is none and raises its epoch, which fences the others.
-- KEYS    1 attempt hash, 2 its log
-- ARGV    1 player, 2 race, 3 now_ms (kept as start_ms when the attempt is new), 4 channel that hears of a takeover
-- answer  the attempt's row
return function(keys, args)
  redis.call('HSETNX', keys[1], 'player', args[1])
  redis.call('HSETNX', keys[1], 'race', args[2])
  redis.call('HSETNX', keys[1], 'start_ms', args[3])
  -- Who left a lobby and comes back before what was opened there is forgotten.
  if redis.call('HEXISTS', keys[1], 'sealed') == 0 then redis.call('PERSIST', keys[1]) end
  local epoch = redis.call('HINCRBY', keys[1], 'epoch', 1)
  if epoch > 1 then
    redis.call('PUBLISH', args[4], string.format('{"taken":{"player":"%s","epoch":%d}}', args[1], epoch))
  end
  return attempt_row(keys)
end
