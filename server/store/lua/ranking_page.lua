-- A page of a ranking from a cursor on.
-- flags   no-writes
-- KEYS    1 ranking, 2 rows of a board (a hash by member) where there is one
-- ARGV    1 most rows, 2 score and 3 member of the last row seen, or neither
-- answer  {size of the ranking, {place, member, score, ...}, {row of the board or nothing, ...}}
return function(keys, args)
  local first = args[2] and rows_up_to(keys[1], args[2], args[3]) or 0
  local rows = ranked_rows(keys[1], first, first + tonumber(args[1]) - 1)
  return {redis.call('ZCARD', keys[1]), rows, kept_rows(keys[2], rows)}
end
