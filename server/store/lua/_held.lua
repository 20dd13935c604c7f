-- Shared by the queues whose members are taken under a lease: a sorted set, member -> its number in the order while it
-- waits, or until when it is held, in ms. A clock that steps does little harm: the order knows no time, and a lease that
-- would last longer than a lease is over. One clock for all: the store's.
local HELD = 1e11

local function now_ms()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

local function stamp(ms)
  return string.format('%.0f', ms)
end

local function wait_last(queue, member)
  local last = redis.call('ZRANGE', queue, '(' .. HELD, '-inf', 'BYSCORE', 'REV', 'LIMIT', 0, 1, 'WITHSCORES')[2]
  redis.call('ZADD', queue, (last or 0) + 1, member)
end

local function hold(queue, member, lease_ms)
  redis.call('ZADD', queue, stamp(now_ms() + lease_ms), member)
end

local function take_first(queue, lease_ms)
  -- Whose lease is over has waited longest.
  local function first(low, high)
    return redis.call('ZRANGE', queue, low, high, 'BYSCORE', 'LIMIT', 0, 1)[1]
  end
  local now = now_ms()
  local member = first(HELD, stamp(now)) or first('(' .. stamp(now + lease_ms), '+inf') or first('-inf', '(' .. HELD)
  if member then hold(queue, member, lease_ms) end
  return member
end

local function has_share(queue, share, most)
  -- Has who asks, whose members are noted in `share`, fewer than so many in the queue? Those that left it are forgotten.
  local waiting = 0
  for _, member in ipairs(redis.call('SMEMBERS', share)) do
    if redis.call('ZSCORE', queue, member) then waiting = waiting + 1 else redis.call('SREM', share, member) end
  end
  return waiting < tonumber(most)
end

local function note_share(share, member, ttl_ms)
  redis.call('SADD', share, member)
  redis.call('PEXPIRE', share, ttl_ms)
end
