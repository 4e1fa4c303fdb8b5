/** What comes before the limiters: the request that is to be judged, and the moment at which it is. */
export const prologueLua = `
local asked = cjson.decode(ARGV[1])
local limiters = {}

-- Every digit of a double, so that what is read again is what was written.
local function text(number) return string.format('%.17g', number) end

local now = asked.nowMs
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + time[2] / 1000
end
if asked.latestMs and now > asked.latestMs then return 'late 0 ' .. text(now) end
`

/**
 * What comes after the limiters: one request is judged in all that it is charged to, and counted in all of it or in
 * nothing, just as the store in memory does it. Answers with the outcome, the wait, the moment, and for each window what
 * is left, its Reset, and whether it refused.
 */
export const decisionLua = `
local function textOf(state)
  local texts = {}
  for i, number in ipairs(state) do texts[i] = text(number) end
  return table.concat(texts, ' ')
end

local function numbersOf(stored)
  local numbers = {}
  for each in string.gmatch(stored, '%S+') do numbers[#numbers + 1] = tonumber(each) end
  return numbers
end

local function meterOf(window, stored)
  local limiter = limiters[window.algorithm]
  if window.log then return { window = window, limiter = limiter, state = limiter.read(KEYS[window.log]) } end
  local state = stored and numbersOf(stored) or limiter.start(window, now)
  return { window = window, limiter = limiter, state = state, field = window.field }
end

local function read(charge)
  local fields = { 'refusals' }
  for i, window in ipairs(charge.windows) do fields[i + 1] = window.field end
  local stored = redis.call('HMGET', KEYS[charge.key], unpack(fields))
  local refusals = stored[1] and numbersOf(stored[1]) or { 0, now, -math.huge }
  local meters = {}
  for i, window in ipairs(charge.windows) do meters[i] = meterOf(window, stored[i + 1]) end
  return {
    key = KEYS[charge.key], cost = charge.cost, ban = charge.ban, meters = meters, changed = not stored[1],
    inARow = refusals[1], sinceMs = refusals[2], bannedUntilMs = refusals[3],
  }
end

local function lifetime(untilMs)
  return string.format('%.0f', math.max(0, math.ceil(untilMs - now)) + asked.slackMs)
end

local function write(tally)
  local values = { 'refusals', textOf({ tally.inARow, tally.sinceMs, tally.bannedUntilMs }) }
  local mattersMs = tally.bannedUntilMs
  if tally.inARow > 0 and tally.ban then mattersMs = math.max(mattersMs, tally.sinceMs + tally.ban.withinMs) end
  for _, meter in ipairs(tally.meters) do
    local forgetMs = meter.limiter.forget(meter.window, meter.state)
    mattersMs = math.max(mattersMs, forgetMs)
    if meter.field then
      values[#values + 1] = meter.field
      values[#values + 1] = textOf(meter.state)
    else
      redis.call('PEXPIRE', meter.state.key, lifetime(forgetMs))
    end
  end
  redis.call('HSET', tally.key, unpack(values))
  redis.call('PEXPIRE', tally.key, lifetime(mattersMs))
end

local answered = { outcome = 'admitted', retryMs = 0, windows = {} }
local gravity = { admitted = 0, refused = 1, banned = 2 }

local function ruled(tally, outcome, cost)
  if gravity[outcome] > gravity[answered.outcome] then answered.outcome = outcome end
  local banLeftMs = outcome == 'banned' and tally.bannedUntilMs - now or 0
  answered.retryMs = math.max(answered.retryMs, banLeftMs)
  for _, meter in ipairs(tally.meters) do
    local window, limiter, state = meter.window, meter.limiter, meter.state
    local left = limiter.available(window, state, now)
    local refused = outcome ~= 'admitted' and left < cost
    if refused then
      answered.retryMs = math.max(answered.retryMs, limiter.admits(window, state, now, cost) - now)
    end
    local windows = answered.windows
    windows[#windows + 1] = text(outcome == 'banned' and 0 or left)
    windows[#windows + 1] = text(math.max(limiter.reset(window, state, now), now + banLeftMs))
    windows[#windows + 1] = (refused or outcome == 'banned') and '1' or '0'
  end
end

local function refuse(tally)
  local ban = tally.ban
  if not ban then return 'refused' end
  tally.changed = true
  if tally.inARow == 0 or now - tally.sinceMs > ban.withinMs then tally.inARow, tally.sinceMs = 0, now end
  tally.inARow = tally.inARow + 1
  if tally.inARow <= ban.threshold then return 'refused' end
  tally.inARow, tally.bannedUntilMs = 0, now + ban.lengthMs
  return 'banned'
end

local function eachMeter(tally, act)
  tally.changed = true
  for _, meter in ipairs(tally.meters) do meter.limiter[act](meter.window, meter.state, now) end
end

local tallies = {}
local isBanned, isExceeded = false, false
for i, charge in ipairs(asked.charges) do
  local tally = read(charge)
  tally.isBanned = now < tally.bannedUntilMs
  for _, meter in ipairs(tally.meters) do
    if meter.limiter.available(meter.window, meter.state, now) < tally.cost then tally.isExceeded = true end
  end
  isBanned, isExceeded = isBanned or tally.isBanned, isExceeded or tally.isExceeded
  tallies[i] = tally
end

for _, tally in ipairs(tallies) do
  if asked.act == 'peek' then
    ruled(tally, 'admitted', 1)
  elseif asked.act == 'refund' then
    eachMeter(tally, 'refund')
    ruled(tally, 'admitted', 1)
  elseif not isBanned and not isExceeded then
    for _ = 1, tally.cost do eachMeter(tally, 'take') end
    tally.inARow, tally.changed = 0, true
    ruled(tally, 'admitted', 1)
  elseif tally.isBanned then
    ruled(tally, 'banned', tally.cost)
  elseif not isBanned and tally.isExceeded then
    ruled(tally, refuse(tally), tally.cost)
  else
    ruled(tally, 'admitted', tally.cost)
  end
  if tally.changed then write(tally) end
end

return table.concat({ answered.outcome, text(answered.retryMs), text(now), unpack(answered.windows) }, ' ')
`
