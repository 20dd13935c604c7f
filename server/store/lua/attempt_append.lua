-- Appends one command's lines to an attempt's log, if it may be.
-- KEYS    1 attempt hash, 2 its log
-- ARGV    1 epoch, 2 version the command was made on, 3 id, 4 at_ms, 5 limit_ms, 6 most entries, 7 cards left if that is
--         the fewest so far or '', 8 end (its first word counts) or '', 9... the lines without time and id
-- answer  'version at_ms' or 'version at_ms best' when stored (a text: a third cheaper than a list), else
--         {'again', version, at_ms, lines} | {'superseded', last id} | {'fenced', epoch} | {'closed', end} |
--         {'stale', version} | {'too_late', at_ms} | {'full', version}
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

local function resent(log, epoch, id)
  local version = redis.call('LLEN', log)
  if version == 0 then return nil end
  local last_epoch, last_id = string.match(redis.call('LINDEX', log, -1), '^%d+ (%d+)%.(%d+)')
  if last_epoch ~= epoch or id > tonumber(last_id) then return nil end
  return stored(log, {epoch = tonumber(epoch), id = id}, 0, version - 1) or {'superseded', tonumber(last_id)}
end

return function(keys, args)
  local call = redis.call
  local state = call('HMGET', keys[1], 'epoch', 'best', 'end')
  local epoch, version, at = args[1], tonumber(args[2]), args[4]
  if state[1] ~= epoch then return {'fenced', tonumber(state[1]) or 0} end

  -- One look at the log for both questions: is it as long as expected (one line from its last on), and which is that line?
  local found = call('LRANGE', keys[2], math.max(0, version - 1), version)
  local is_current = #found == math.min(version, 1)
  if is_current and version > 0 then
    local last_at, last_epoch, last_id = string.match(found[1], '^(%d+) (%d+)%.(%d+)')
    if last_epoch == epoch and tonumber(args[3]) <= tonumber(last_id) then
      return resent(keys[2], epoch, tonumber(args[3]))
    end
    if tonumber(last_at) > tonumber(at) then at = last_at end
  elseif not is_current then
    local answer = resent(keys[2], epoch, tonumber(args[3]))
    if answer then return answer end
  end
  if state[3] then return {'closed', state[3]} end
  if not is_current then return {'stale', call('LLEN', keys[2])} end
  if tonumber(at) > tonumber(args[5]) then return {'too_late', tonumber(at)} end
  local lines = #args - 8
  if version + lines > tonumber(args[6]) and args[8] == '' then return {'full', version} end

  local prefix = at .. ' ' .. epoch .. '.' .. args[3] .. ' '
  for line = 9, #args do args[line] = prefix .. args[line] end
  call('RPUSH', keys[2], unpack(args, 9))
  local best = state[2]
  if args[7] ~= '' then
    local left = tonumber(args[7])
    if not best or left < math.floor(best / 2 ^ 40) then
      best = string.format('%.0f', left * 2 ^ 40 + at)
      call('HSET', keys[1], 'best', best)
    end
  end
  if args[8] ~= '' then call('HSET', keys[1], 'end', string.match(args[8], '^%a+') .. ' ' .. at) end
  return version + lines .. ' ' .. at .. (best and ' ' .. best or '')
end
