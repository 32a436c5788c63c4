import { createInstance } from 'i18next'
import { expect, test } from 'vitest'
import { numberFormatter } from './i18n.ts'

test('numbers in words are written as the language writes them, and choose the form of the words', async () => {
  const i18n = createInstance()
  const words = { items_one: '{{count}} item', items_other: '{{count}} items of {{name}}', year: '{{year}}' }
  await i18n.use(numberFormatter).init({
    lng: 'en-US',
    resources: { 'en-US': { translation: words }, 'de-DE': { translation: words } },
    interpolation: { escapeValue: false, alwaysFormat: true },
  })
  const say = i18n.t as unknown as (key: string, values: object) => string
  expect(say('items', { count: 1 })).toBe('1 item')
  expect(say('items', { count: 12_345, name: '<b>' })).toBe('12,345 items of <b>')
  expect(say('year', { year: '2030' })).toBe('2030')
  await i18n.changeLanguage('de-DE')
  expect(say('items', { count: 12_345, name: 'x' })).toBe('12.345 items of x')
})
