import 'quotaspec/vitest'
import { expect, test } from 'vitest'
import { app } from './app.js'

test('the API keeps the quota that it promises', async () => {
  await expect(app.listen(0)).toKeepQuotas({
    keys: { free: 'a-free-key' },
    contract: {
      quotaspec: 1,
      name: 'shop',
      credentials: { free: { scheme: 'bearer', env: 'SHOP_KEY' } },
      requests: { items: { path: '/items', expect: 200 } },
      quotas: [{ id: 'items', limit: 10, window: '5s', requests: ['items'] }],
    },
  })
}, 120_000)
