-- Reads an attempt, hash and log as of one instant.
-- flags   no-writes
-- KEYS    1 attempt hash, 2 its log
-- answer  the attempt's row, or nothing when there is no such attempt
return function(keys)
  if redis.call('EXISTS', keys[1]) == 0 then return false end
  return attempt_row(keys)
end
