-- Shared by all that is ranked: smallest score first, equal scores in the order of their members' bytes.
local function comes_after(one, other)
  -- Not `>`: Lua's compares by the server's locale, a sorted set by bytes.
  for number = 1, math.min(#one, #other) do
    local a, b = string.byte(one, number), string.byte(other, number)
    if a ~= b then return a > b end
  end
  return #one > #other
end

local function rows_up_to(ranking, score, member)
  -- How many rows stand at or before (score, member), whether or not that row is still there.
  local low = redis.call('ZCOUNT', ranking, '-inf', '(' .. score)
  local high = redis.call('ZCOUNT', ranking, '-inf', score)
  while low < high do
    local middle = math.floor((low + high) / 2)
    if comes_after(redis.call('ZRANGE', ranking, middle, middle)[1], member) then high = middle else low = middle + 1 end
  end
  return low
end

local function ranked_rows(ranking, first, last)
  -- {place, member, score, place, member, score, ...} of the rows at these ranks from 0; equals share their place.
  local found = redis.call('ZRANGE', ranking, first, last, 'WITHSCORES')
  local rows, place, score = {}, 0, nil
  for number = 1, #found, 2 do
    if found[number + 1] ~= score then
      score = found[number + 1]
      place = number == 1 and redis.call('ZCOUNT', ranking, '-inf', '(' .. score) + 1 or first + (number + 1) / 2
    end
    rows[#rows + 1], rows[#rows + 2], rows[#rows + 3] = place, found[number], score
  end
  return rows
end

local function kept_rows(hash, rows)
  local members = {}
  for number = 2, #rows, 3 do members[#members + 1] = rows[number] end
  if not hash or #members == 0 then return {} end
  return redis.call('HMGET', hash, unpack(members))
end
