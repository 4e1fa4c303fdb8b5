/**
 * Remembers the moment of every admission, oldest first, in a list of its own: so a decision reads a few of them, not all.
 * Its state is that list's key and length.
 */
export const slidingLogLua = `
limiters['sliding-log'] = (function()
  local function moment(s, index)
    return tonumber(redis.call('LINDEX', s.key, index) or '-inf')
  end
  -- How many of the oldest admissions were at or before that moment. Mostly none, which one look tells.
  local function expired(s, untilMs)
    local low, high = 0, s.size
    if high == 0 or moment(s, 0) > untilMs then return 0 end
    while low < high do
      local middle = math.floor((low + high) / 2)
      if moment(s, middle) <= untilMs then low = middle + 1 else high = middle end
    end
    return low
  end
  return {
    read = function(key) return { key = key, size = redis.call('LLEN', key) } end,
    available = function(w, s, now)
      return math.max(0, w.limit - (s.size - expired(s, now - w.lengthMs)))
    end,
    take = function(w, s, now)
      local gone = expired(s, now - w.lengthMs)
      if gone > 0 then redis.call('LTRIM', s.key, gone, -1) end
      local kept = s.size - gone
      -- A clock that steps back must not disturb the order.
      local latest = kept > 0 and moment(s, -1) or now
      redis.call('RPUSH', s.key, text(math.max(now, latest)))
      s.size = kept + 1
    end,
    refund = function(w, s)
      if s.size > 0 then redis.call('RPOP', s.key) end
      s.size = math.max(0, s.size - 1)
    end,
    reset = function(w, s, now)
      if s.size == 0 then return now end
      return math.max(now, moment(s, -1) + w.lengthMs)
    end,
    admits = function(w, s, now, cost)
      if s.size + cost <= w.limit then return now end
      return math.max(now, moment(s, s.size + cost - 1 - w.limit) + w.lengthMs)
    end,
    forget = function(w, s)
      if s.size == 0 then return -math.huge end
      return moment(s, -1) + w.lengthMs
    end,
  }
end)()
`
