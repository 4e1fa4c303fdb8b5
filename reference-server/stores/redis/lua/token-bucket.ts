/** Refills evenly, the limit in a window's length; a full bucket may be spent at once. State: tokens, moment. */
export const tokenBucketLua = `
limiters['token-bucket'] = (function()
  -- Sums of fractions are off a whole token by less than this.
  local roundingError = 1e-6
  local function capacity(w) return w.capacity or w.limit end
  local function perMs(w) return w.limit / w.lengthMs end
  local function refilled(w, s, now)
    local at = math.max(s[2], now)
    return math.min(capacity(w), s[1] + (at - s[2]) * perMs(w)), at
  end
  local function whole(w, s, now) return math.floor((refilled(w, s, now)) + roundingError) end
  local function holdsAt(w, s, tokens) return s[2] + (tokens - s[1]) / perMs(w) end
  return {
    start = function(w, now) return { capacity(w), now } end,
    available = function(w, s, now) return math.max(0, whole(w, s, now)) end,
    take = function(w, s, now)
      s[1], s[2] = refilled(w, s, now)
      s[1] = s[1] - 1
    end,
    refund = function(w, s, now)
      s[1], s[2] = refilled(w, s, now)
      s[1] = math.min(capacity(w), s[1] + 1)
    end,
    reset = function(w, s, now) return math.max(now, holdsAt(w, s, capacity(w))) end,
    admits = function(w, s, now, cost)
      if whole(w, s, now) >= cost then return now end
      return holdsAt(w, s, cost)
    end,
    forget = function(w, s) return holdsAt(w, s, capacity(w)) end,
  }
end)()
`
