/** Counts in windows that the first request after the last window's end opens. State: start, used. */
export const fixedWindowFirstRequestLua = `
limiters['fixed-window-first-request'] = (function()
  local function open(w, s, now) return now < s[1] + w.lengthMs end
  return {
    start = function() return { -math.huge, 0 } end,
    available = function(w, s, now)
      if open(w, s, now) then return math.max(0, w.limit - s[2]) end
      return w.limit
    end,
    take = function(w, s, now)
      if open(w, s, now) then s[2] = s[2] + 1 else s[1], s[2] = now, 1 end
    end,
    -- The window stays open: a request that was given back has opened it all the same.
    refund = function(w, s) s[2] = math.max(0, s[2] - 1) end,
    reset = function(w, s, now)
      if open(w, s, now) then return s[1] + w.lengthMs end
      return now + w.lengthMs
    end,
    admits = function(w, s, now, cost)
      if open(w, s, now) and s[2] + cost > w.limit then return s[1] + w.lengthMs end
      return now
    end,
    forget = function(w, s) return s[1] + w.lengthMs end,
  }
end)()
`
