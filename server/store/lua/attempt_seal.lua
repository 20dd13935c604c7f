-- Seals an attempt: nothing is appended any more. Without an end it has expired at its limit.
-- An attempt that was never opened is sealed too, so that opening it later can't play.
-- KEYS    1 attempt hash, 2 its log
-- ARGV    1 player, 2 race, 3 limit_ms
-- answer  the attempt's row
return function(keys, args)
  redis.call('HSETNX', keys[1], 'player', args[1])
  redis.call('HSETNX', keys[1], 'race', args[2])
  redis.call('HSETNX', keys[1], 'end', 'expired ' .. args[3])
  redis.call('HSET', keys[1], 'sealed', 1)
  return attempt_row(keys)
end
