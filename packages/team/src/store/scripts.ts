/** The server's clock, or the time in ARGV[1], which tests set. */
export const CLOCK: string = `
local function clock()
  if ARGV[1] ~= '' then return tonumber(ARGV[1]) end
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
`

/**
 * What is the same in all scripts: the clock, the account's row, and what has aged out. It does what `ledger.ts` does;
 * one suite of tests holds both to the same model.
 * KEYS: the row, the reservations by expiry, what they hold, the settled ids, the beginning of the books' names.
 * ARGV[1]: the time, empty for the server's own.
 */
const SHARED = `${CLOCK}
local function month(days)
  local z = days + 719468
  local era = math.floor(z / 146097)
  local doe = z - era * 146097
  local yoe = math.floor((doe - math.floor(doe / 1460) + math.floor(doe / 36524) - math.floor(doe / 146096)) / 365)
  local doy = doe - (365 * yoe + math.floor(yoe / 4) - math.floor(yoe / 100))
  local mp = math.floor((5 * doy + 2) / 153)
  local year = yoe + era * 400
  if mp < 10 then return year * 12 + mp + 2 end
  return (year + 1) * 12 + mp - 10
end

local now = clock()
local days = math.floor(now / 86400000)
local periods = { days, math.floor((days + 3) / 7), month(days) }

local row = {}
local packed = redis.call('GET', KEYS[1])
if packed then
  for number in string.gmatch(packed, '%S+') do row[#row + 1] = tonumber(number) end
end
for index = 1, 17 do row[index] = row[index] or 0 end

local function flow(at, perMinute)
  if perMinute == nil then row[at] = 0
  else row[at] = math.max(0, row[at] - (math.max(0, now - row[at + 1]) * perMinute) / 60000) end
  row[at + 1] = now
end

local function turn()
  for index = 1, 3 do
    local at = 2 + index * 3
    if row[at] ~= periods[index] and row[at] ~= periods[index] + 1 then
      row[at] = periods[index]; row[at + 1] = 0; row[at + 2] = 0
    end
  end
end

local function hold(sign, rate, tokens, money)
  row[14] = row[14] + sign
  row[15] = row[15] + sign * rate
  row[16] = row[16] + sign * tokens
  row[17] = row[17] + sign * money
end

local function release(id)
  local text = redis.call('HGET', KEYS[3], id)
  if not text then return nil end
  redis.call('HDEL', KEYS[3], id)
  redis.call('ZREM', KEYS[2], id)
  local rate, tokens, money = string.match(text, '(%S+) (%S+) (%S+)')
  hold(-1, tonumber(rate), tonumber(tokens), tonumber(money))
  return tonumber(rate)
end

local function expire()
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now)) do release(id) end
end

local function shown(number) return string.format('%.17g', number) end

local function written()
  local out = {}
  for index = 1, 17 do out[index] = shown(row[index]) end
  return table.concat(out, ' ')
end

local function save()
  local text = written()
  -- Nobody's row is needed after the longest period.
  redis.call('SET', KEYS[1], text, 'PX', 3456000000)
  return text
end

-- One text is parsed faster than a list, here and there.
local function answer(ok, text) return ok .. ' ' .. shown(now) .. ' ' .. text end
`

/** ARGV: time, id, lease, requests and tokens per minute, streams, rate, tokens, money, 9 known numbers, budgets. */
export const RESERVE: string = `${SHARED}
local rpm, tpm, streams = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local rate, tokens, money = tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9])
expire()
flow(1, rpm)
flow(3, tpm)
turn()
if redis.call('ZSCORE', KEYS[2], ARGV[2]) then
  return answer(1, save())
end
for index = 1, 3 do
  local at, known = 2 + index * 3, 7 + index * 3
  if tonumber(ARGV[known]) == row[at] then
    row[at + 1] = math.max(row[at + 1], tonumber(ARGV[known + 1]))
    row[at + 2] = math.max(row[at + 2], tonumber(ARGV[known + 2]))
  end
end
local ok = 1
if rpm and row[1] + math.min(1, rpm) - rpm > 1e-6 then ok = 0 end
if tpm and row[3] + math.min(rate, tpm) - tpm > 1e-6 then ok = 0 end
if streams and row[14] >= streams then ok = 0 end
for at = 19, #ARGV, 3 do
  local unit, limit = tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  local spent = row[2 + tonumber(ARGV[at]) * 3 + unit]
  local demand = unit == 1 and tokens or money
  if spent >= limit or spent + row[15 + unit] + demand > limit then ok = 0 end
end
if ok == 1 then
  row[1] = row[1] + 1
  row[3] = row[3] + rate
  hold(1, rate, tokens, money)
  redis.call('ZADD', KEYS[2], now + tonumber(ARGV[3]), ARGV[2])
  redis.call('HSET', KEYS[3], ARGV[2], ARGV[7] .. ' ' .. ARGV[8] .. ' ' .. ARGV[9])
  redis.call('PEXPIRE', KEYS[2], 86400000)
  redis.call('PEXPIRE', KEYS[3], 86400000)
end
return answer(ok, save())
`

/**
 * ARGV: time, id, requests and tokens per minute, tokens, money, the entry's name in the books, input, output, then ids
 * that nobody will settle again.
 */
export const SETTLE: string = `${SHARED}
if #ARGV > 9 then redis.call('ZREM', KEYS[4], unpack(ARGV, 10)) end
if redis.call('ZADD', KEYS[4], 'NX', now, ARGV[2]) == 0 then return 0 end
redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', now - 3600000)
redis.call('PEXPIRE', KEYS[4], 86400000)
local tokens, money = tonumber(ARGV[5]), tonumber(ARGV[6])
expire()
flow(1, tonumber(ARGV[3]))
flow(3, tonumber(ARGV[4]))
turn()
local rate = release(ARGV[2]) or 0
row[3] = math.max(0, row[3] + tokens - rate)
for index = 1, 3 do
  local at = 2 + index * 3
  row[at + 1] = row[at + 1] + tokens
  row[at + 2] = row[at + 2] + money
end
save()
local isNewPage = false
if ARGV[7] ~= '' then
  local books = KEYS[5] .. days
  if redis.call('EXISTS', books) == 0 then isNewPage = true end
  redis.call('HINCRBY', books, ARGV[7] .. '/requests', 1)
  redis.call('HINCRBY', books, ARGV[7] .. '/input', ARGV[8])
  redis.call('HINCRBY', books, ARGV[7] .. '/output', ARGV[9])
  redis.call('HINCRBY', books, ARGV[7] .. '/money', ARGV[6])
  redis.call('PEXPIRE', books, 34560000000)
end
return isNewPage and 2 or 1
`

/** ARGV: time, lease, then id, rate, tokens, money for each. */
export const RENEW: string = `${SHARED}
expire()
for at = 3, #ARGV, 4 do
  if not redis.call('ZSCORE', KEYS[4], ARGV[at]) then
    if not redis.call('ZSCORE', KEYS[2], ARGV[at]) then
      hold(1, tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3]))
      redis.call('HSET', KEYS[3], ARGV[at], ARGV[at + 1] .. ' ' .. ARGV[at + 2] .. ' ' .. ARGV[at + 3])
    end
    redis.call('ZADD', KEYS[2], now + tonumber(ARGV[2]), ARGV[at])
  end
end
redis.call('PEXPIRE', KEYS[2], 86400000)
redis.call('PEXPIRE', KEYS[3], 86400000)
save()
return 1
`

/** ARGV: time, requests and tokens per minute. */
export const LOOK: string = `${SHARED}
expire()
save()
flow(1, tonumber(ARGV[2]))
flow(3, tonumber(ARGV[3]))
turn()
return answer(1, written())
`
