/** Adds the share of the previous clock-aligned window, rounded down. State: start, current, previous. */
export const slidingCounterLua = `
limiters['sliding-counter'] = (function()
  local function aligned(w, now) return math.floor(now / w.lengthMs) * w.lengthMs end
  local function rolled(w, s, now)
    local nextMs = s[1] + w.lengthMs
    if now < nextMs then return s[1], s[2], s[3] end
    if now < nextMs + w.lengthMs then return nextMs, 0, s[2] end
    return math.max(aligned(w, now), nextMs + w.lengthMs), 0, 0
  end
  local function counted(w, start, current, previous, now)
    return math.floor(previous * math.min(1, 1 - (now - start) / w.lengthMs)) + current
  end
  local function admits(w, s, now, cost)
    local start, current, previous = rolled(w, s, now)
    local bound = w.limit - cost + 1
    if counted(w, start, current, previous, now) < bound then return now end
    -- The weighted count has to fall below the bound, not just to it: hence the next millisecond.
    if current >= bound then
      return math.floor(start + w.lengthMs + w.lengthMs * (1 - bound / current)) + 1
    end
    return math.floor(start + w.lengthMs * (1 - (bound - current) / previous)) + 1
  end
  return {
    start = function(w, now) return { aligned(w, now), 0, 0 } end,
    available = function(w, s, now)
      local start, current, previous = rolled(w, s, now)
      return math.max(0, w.limit - counted(w, start, current, previous, now))
    end,
    take = function(w, s, now)
      s[1], s[2], s[3] = rolled(w, s, now)
      s[2] = s[2] + 1
    end,
    refund = function(w, s, now)
      s[1], s[2], s[3] = rolled(w, s, now)
      s[2] = math.max(0, s[2] - 1)
    end,
    reset = function(w, s, now)
      local start = rolled(w, s, now)
      return math.max(start + w.lengthMs, admits(w, s, now, 1))
    end,
    admits = admits,
    forget = function(w, s) return s[1] + 2 * w.lengthMs end,
  }
end)()
`
