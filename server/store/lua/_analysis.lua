-- KEYS of all analysis functions: 1 due, 2 records, 3 takes, 4 askers. One clock for all workers: the store's.
local function now_ms()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

local function stamp(ms)
  return string.format('%.0f', ms)
end
