import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { expect, test } from 'vitest'
import { createOfflineDatabase } from '../../domains/offline/database.ts'
import { readHistory, rememberSearch } from './search-history.ts'

test('ten searches are kept for each owner, the latest first, each once', async () => {
  const database = createOfflineDatabase({ indexedDB: new IDBFactory(), IDBKeyRange })
  for (let number = 1; number <= 12; number += 1) await rememberSearch(`word ${number}`, 'admin', database)
  await rememberSearch(' word 5 ', 'admin', database)
  await rememberSearch('theirs', 'apikey:1', database)
  expect(await readHistory('admin', database)).toEqual([
    'word 5',
    ...[12, 11, 10, 9, 8, 7, 6, 4, 3].map((number) => `word ${number}`),
  ])
  expect(await readHistory('apikey:1', database)).toEqual(['theirs'])
})
