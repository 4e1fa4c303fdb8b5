/**
 * The whole quota comes back every window's length, on a grid that begins anew once a key was idle for a window's length.
 * State: refilled, used, latest admission.
 */
export const intervalRefillIdleLua = `
limiters['interval-refill-idle'] = (function()
  local function expiresAt(w, s) return s[3] + w.lengthMs end
  local function current(w, s, now)
    if now < s[1] + w.lengthMs then return s[1], s[2], s[3] end
    if s[3] == -math.huge or now >= expiresAt(w, s) then return now, 0, -math.huge end
    local intervals = math.max(1, math.floor((now - s[1]) / w.lengthMs))
    return s[1] + intervals * w.lengthMs, 0, s[3]
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
    start = function() return { -math.huge, 0, -math.huge } end,
    available = left,
    take = function(w, s, now)
      s[1], s[2], s[3] = current(w, s, now)
      s[2], s[3] = s[2] + 1, math.max(s[3], now)
    end,
    refund = function(w, s, now)
      s[1], s[2], s[3] = current(w, s, now)
      s[2] = math.max(0, s[2] - 1)
    end,
    reset = nextRefill,
    admits = function(w, s, now, cost)
      if left(w, s, now) >= cost then return now end
      return nextRefill(w, s, now)
    end,
    forget = function(w, s) return expiresAt(w, s) end,
  }
end)()
`
