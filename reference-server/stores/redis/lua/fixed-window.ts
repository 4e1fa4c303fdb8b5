/** Counts in windows that are aligned with the clock. State: start, used. */
export const fixedWindowLua = `
limiters['fixed-window'] = (function()
  local function aligned(w, now) return math.floor(now / w.lengthMs) * w.lengthMs end
  local function over(w, s, now) return now >= s[1] + w.lengthMs end
  -- A length that is no whole number may put the floor one window back, by a rounding error.
  local function startAfter(w, s, now) return math.max(aligned(w, now), s[1] + w.lengthMs) end
  local function roll(w, s, now)
    if over(w, s, now) then s[1], s[2] = startAfter(w, s, now), 0 end
  end
  return {
    start = function(w, now) return { aligned(w, now), 0 } end,
    available = function(w, s, now)
      if over(w, s, now) then return w.limit end
      return math.max(0, w.limit - s[2])
    end,
    take = function(w, s, now)
      roll(w, s, now)
      s[2] = s[2] + 1
    end,
    refund = function(w, s, now)
      roll(w, s, now)
      s[2] = math.max(0, s[2] - 1)
    end,
    reset = function(w, s, now)
      if over(w, s, now) then return startAfter(w, s, now) + w.lengthMs end
      return s[1] + w.lengthMs
    end,
    admits = function(w, s, now, cost)
      if over(w, s, now) or s[2] + cost <= w.limit then return now end
      return s[1] + w.lengthMs
    end,
    forget = function(w, s)
      if s[2] == 0 then return s[1] end
      return s[1] + w.lengthMs
    end,
  }
end)()
`
