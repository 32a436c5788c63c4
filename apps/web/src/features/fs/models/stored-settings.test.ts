import { expect, test } from 'vitest'
import { DEFAULT_GALLERY, parseSettings } from './stored-settings.ts'

test('valid stored settings are used', () => {
  const settings = {
    view: 'gallery',
    sort: 'size',
    order: 'desc',
    gallery: { columns: 4, gapPx: 8 },
    playsOn: false,
  }
  expect(parseSettings(settings)).toEqual(settings)
  expect(parseSettings(null)).toMatchObject({ view: 'list', sort: 'name', order: 'asc' })
  const broken = { view: 'cube', sort: 7, gallery: { columns: 99, gapPx: -1 }, playsOn: 'often' }
  expect(parseSettings(broken)).toEqual({
    view: 'list',
    sort: 'name',
    order: 'asc',
    gallery: DEFAULT_GALLERY,
    playsOn: true,
  })
})
