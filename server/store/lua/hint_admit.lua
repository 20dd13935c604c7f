-- Keeps a place for a question that is about to be asked: if it never is, its turn comes all the same, for nothing.
-- KEYS    1 queue, 2 takes, 3 versions, 4 the player's pace, 5 the address's share
-- ARGV    1 attempt, 2 player, 3 most that may wait, 4 most a minute, 5 most of one address, 6 share_ms, 7 reserved_ms
-- answer  1, or 0 for a player who has one waiting or asks in haste, an address with its share, too many that wait
return function(keys, args)
  if not admit_hint(keys, args) then return 0 end
  if not redis.call('ZSCORE', keys[1], args[1]) then hold(keys[1], args[1], args[7]) end
  return 1
end
