-- A member's row of a ranking and its neighbours.
-- flags   no-writes
-- KEYS    1 ranking, 2 rows of a board (a hash by member) where there is one
-- ARGV    1 member, 2 how many neighbours on each side
-- answer  as of ranking_page; nothing when the member is not in it
return function(keys, args)
  local rank = redis.call('ZRANK', keys[1], args[1])
  if not rank then return false end
  local rows = ranked_rows(keys[1], math.max(0, rank - args[2]), rank + args[2])
  return {redis.call('ZCARD', keys[1]), rows, kept_rows(keys[2], rows)}
end
