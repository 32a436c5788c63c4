import { expect, test } from 'vitest'
import { previewerOf } from './previewers.models.ts'

test.each([
  ['Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', 'Slackbot-LinkExpanding'],
  ['facebookexternalhit/1.1', 'facebookexternalhit'],
  ['WhatsApp/2.23.20.0', 'WhatsApp'],
  ['TelegramBot (like TwitterBot)', 'TelegramBot'],
  ['Mozilla/5.0 (compatible; Examplebot/1.0)', 'Examplebot'],
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'Googlebot'],
  ['SkypeUriPreview Preview/0.5', 'SkypeUriPreview'],
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/140.0 Safari/537.36', 'HeadlessChrome'],
  ['curl/8.5.0', 'curl'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', null],
  ['', null],
])('%s is shown as %s', (userAgent, name) => {
  expect(previewerOf(userAgent)).toBe(name)
})
