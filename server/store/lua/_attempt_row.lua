-- Shared by the attempt functions: an attempt as {epoch, start_ms, best or '', end or '', sealed, {lines}}.
local function attempt_row(keys)
  local state = redis.call('HMGET', keys[1], 'epoch', 'start_ms', 'best', 'end', 'sealed')
  return {
    tonumber(state[1]) or 0, tonumber(state[2]) or 0, tonumber(state[3]) or '', state[4] or '', state[5] and 1 or 0,
    redis.call('LRANGE', keys[2], 0, -1),
  }
end
