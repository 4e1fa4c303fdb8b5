/** The generic cell rate algorithm (ITU-T I.371). State: how far it is ahead of a moment, and that moment. */
export const gcraLua = `
limiters['gcra'] = (function()
  -- Sums of fractions are off a whole request by less than this share.
  local roundingError = 1e-6
  local function costMs(w) return w.lengthMs / w.limit end
  local function toleranceMs(w) return (w.capacity or w.limit) * costMs(w) end
  local function paid(s, now)
    local at = math.max(s[2], now)
    return math.max(0, s[1] - (at - s[2])), at
  end
  local function fitting(w, s, now)
    local backlog = paid(s, now)
    return math.max(0, math.floor((toleranceMs(w) - backlog) / costMs(w) + roundingError))
  end
  return {
    start = function(w, now) return { 0, now } end,
    available = fitting,
    take = function(w, s, now)
      s[1], s[2] = paid(s, now)
      s[1] = s[1] + costMs(w)
    end,
    refund = function(w, s, now)
      s[1], s[2] = paid(s, now)
      s[1] = math.max(0, s[1] - costMs(w))
    end,
    reset = function(w, s, now) return math.max(now, s[2] + s[1]) end,
    admits = function(w, s, now, cost)
      if fitting(w, s, now) >= cost then return now end
      return s[2] + (s[1] - toleranceMs(w) + cost * costMs(w))
    end,
    forget = function(w, s) return s[2] + s[1] end,
  }
end)()
`
