/** The whole quota comes back every window's length, on a grid that begins with the first use. State: refilled, used. */
export const intervalRefillLua = `
limiters['interval-refill'] = (function()
  -- For how many windows an idle key's grid is kept: nobody remembers its phase for longer.
  local keptWindows = 100
  local function current(w, s, now)
    if s[1] == -math.huge then return now, 0 end
    if now < s[1] + w.lengthMs then return s[1], s[2] end
    local intervals = math.max(1, math.floor((now - s[1]) / w.lengthMs))
    return s[1] + intervals * w.lengthMs, 0
  end
  local function left(w, s, now)
    local _, used = current(w, s, now)
    return math.max(0, w.limit - used)
  end
  local function nextRefill(w, s, now)
    local refilled = current(w, s, now)
    return refilled + w.lengthMs
  end
  return {
    start = function() return { -math.huge, 0 } end,
    available = left,
    take = function(w, s, now)
      s[1], s[2] = current(w, s, now)
      s[2] = s[2] + 1
    end,
    refund = function(w, s, now)
      s[1], s[2] = current(w, s, now)
      s[2] = math.max(0, s[2] - 1)
    end,
    reset = nextRefill,
    admits = function(w, s, now, cost)
      if left(w, s, now) >= cost then return now end
      return nextRefill(w, s, now)
    end,
    forget = function(w, s) return s[1] + keptWindows * w.lengthMs end,
  }
end)()
`
