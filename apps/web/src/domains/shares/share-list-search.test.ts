import { expect, test } from 'vitest'
import { filtersOf } from './share-list-search.ts'

test('valid parameters in the URL filter a table', () => {
  expect(filtersOf({ q: 'cat', state: 'over', protected: 'yes', creator: 'apikey:1', storage: 's' })).toEqual(
    { search: 'cat', state: 'over', protected: true, created_by: 'apikey:1', s3_config_id: 's' },
  )
  expect(filtersOf({ protected: 'no' }).protected).toBe(false)
  expect(filtersOf({ state: 'gone', protected: 'maybe' })).toEqual({
    search: undefined,
    state: undefined,
    protected: undefined,
    created_by: undefined,
    s3_config_id: undefined,
  })
})
