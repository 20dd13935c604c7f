-- Takes the oldest deal of the first list that has more than must stay in it; no one gets it again.
-- KEYS    1 … the lists of one variant, the best first
-- ARGV    1 how many must stay in a list
-- answer  the list's place among the keys, from 1, and the seed; nothing when no list has enough
return function(keys, args)
  for place = 1, #keys do
    if redis.call('LLEN', keys[place]) > tonumber(args[1]) then
      return {place, redis.call('LPOP', keys[place])}
    end
  end
  return nil
end
