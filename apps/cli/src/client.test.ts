import { expect, test } from 'vitest'
import { request } from './client.ts'

test('a port that no client of the web goes to is told of in words', async () => {
  await expect(request('http://127.0.0.1:1/api/health', {})).rejects.toMatchObject({
    text: 'net.forbidden_port',
    params: { host: '127.0.0.1:1' },
    exitCode: 5,
  })
})
