-- Appends one command's lines to an attempt's log, if it may be.
-- KEYS    1 attempt hash, 2 its log
-- ARGV    1 epoch, 2 version the command was made on, 3 id, 4 at_ms, 5 limit_ms, 6 most entries, 7 cards left if that is
--         the fewest so far or '', 8 end (its first word counts) or '', 9... the lines without time and id
-- answer  {'ok', version, at_ms, best or ''} | {'again', version, at_ms, lines} | {'superseded', last id} |
--         {'fenced', epoch} | {'closed', end or ''} | {'stale', version} | {'too_late', at_ms} | {'full', version}
local function stored(log, wanted, low, high)
  -- Ids go up along an epoch and epochs along the log: the last line of a command is found by halving.
  while low < high do
    local middle = math.floor((low + high + 1) / 2)
    local epoch, id = string.match(redis.call('LINDEX', log, middle), '^%d+ (%d+)%.(%d+)')
    epoch, id = tonumber(epoch), tonumber(id)
    if epoch < wanted.epoch or (epoch == wanted.epoch and id <= wanted.id) then
      low = middle
    else
      high = middle - 1
    end
  end
  local at, epoch, id = string.match(redis.call('LINDEX', log, low), '^(%d+) (%d+)%.(%d+)')
  if tonumber(epoch) ~= wanted.epoch or tonumber(id) ~= wanted.id then return nil end
  local first = low
  local prefix = at .. ' ' .. epoch .. '.' .. id .. ' '
  while first > 0 do
    local line = redis.call('LINDEX', log, first - 1)
    if string.sub(line, 1, #prefix) ~= prefix then break end
    first = first - 1
  end
  return {'again', low + 1, tonumber(at), low - first + 1}
end

return function(keys, args)
  local state = redis.call('HMGET', keys[1], 'epoch', 'best', 'end', 'sealed')
  if state[1] ~= args[1] then return {'fenced', tonumber(state[1]) or 0} end
  local version = redis.call('LLEN', keys[2])
  local id, at = tonumber(args[3]), tonumber(args[4])
  if version > 0 then
    local last_at, epoch, last_id = string.match(redis.call('LINDEX', keys[2], -1), '^(%d+) (%d+)%.(%d+)')
    if epoch == args[1] and id <= tonumber(last_id) then
      return stored(keys[2], {epoch = tonumber(epoch), id = id}, 0, version - 1) or {'superseded', tonumber(last_id)}
    end
    at = math.max(at, tonumber(last_at))
  end
  if state[3] or state[4] then return {'closed', state[3] or ''} end
  if version ~= tonumber(args[2]) then return {'stale', version} end
  if at > tonumber(args[5]) then return {'too_late', at} end
  local lines = #args - 8
  if version + lines > tonumber(args[6]) and args[8] == '' then return {'full', version} end

  local prefix = string.format('%.0f %s.%s ', at, args[1], args[3])
  for line = 9, #args do args[line] = prefix .. args[line] end
  redis.call('RPUSH', keys[2], unpack(args, 9))
  local best = tonumber(state[2])
  if args[7] ~= '' then
    local left = tonumber(args[7])
    if not best or left < math.floor(best / 2 ^ 40) then
      best = left * 2 ^ 40 + at
      redis.call('HSET', keys[1], 'best', string.format('%.0f', best))
    end
  end
  if args[8] ~= '' then
    redis.call('HSET', keys[1], 'end', string.format('%s %.0f', string.match(args[8], '^%a+'), at))
  end
  return {'ok', version + lines, at, best or ''}
end
