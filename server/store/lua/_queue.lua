-- Shared by the queue functions. KEYS 1 waiting (player -> joined_ms), 2 beats (player -> ms), 3 pairs (race -> players),
-- 4 paired (player -> race).
local function pair_of(keys, player)
  local race = redis.call('HGET', keys[4], player)
  if not race then return nil end
  return {race, redis.call('HGET', keys[3], race)}
end

local function drop_silent(keys, now_ms, silent_ms)
  -- Only from the front: whoever waits longest is looked at first, and one that beats stops the search.
  while true do
    local first = redis.call('ZRANGE', keys[1], 0, 0)[1]
    if not first or tonumber(redis.call('HGET', keys[2], first) or 0) >= now_ms - silent_ms then return end
    redis.call('ZREM', keys[1], first)
    redis.call('HDEL', keys[2], first)
  end
end
