// @vitest-environment jsdom
import { afterEach, expect, test } from 'vitest'
import { ApiError } from '../../lib/api-error.ts'
import { clearNotices, getNotices, notify } from '../../lib/notices.ts'
import { endSession, startSession } from './session.ts'
import { noticeFailure, noticeLeft, noticeSessionEnd } from './session-notices.ts'

const expired = new ApiError({ kind: 'http', status: 401, code: 'client.session_expired', message: '' })
const texts = () => getNotices().map(({ text }) => text)

afterEach(() => {
  clearNotices('none of them')
  endSession('logout')
})

test('the end of a session shows one notice, with any number of failed requests', () => {
  startSession({ kind: 'admin', token: 't' })
  notify('success', 'Deleted', { action: { label: 'Undo', run: () => undefined } })
  endSession('admin-expired')
  noticeSessionEnd('error', 'Expired')
  noticeFailure(expired, 'Not copied')
  noticeLeft('Text kept')
  noticeLeft('Text kept')
  expect(texts()).toEqual(['Expired\nText kept'])
})

test('notices of the end of a session are removed by a login', () => {
  startSession({ kind: 'admin', token: 't' })
  endSession('admin-expired')
  noticeLeft('One upload waits')
  notify('info', 'Something else')
  startSession({ kind: 'admin', token: 't2' })
  expect(texts()).toEqual(['Something else'])
})

test('the notice mentions kept text, also if that is known before the end', () => {
  noticeLeft('Text kept')
  noticeSessionEnd('error', 'Expired')
  expect(texts()).toEqual(['Text kept\nExpired'])
})

test('a failure of an earlier credential is shown to the user who has logged in since', () => {
  startSession({ kind: 'admin', token: 't2' })
  noticeFailure(expired, 'Not copied')
  noticeLeft('Text kept')
  expect(texts()).toEqual(['Not copied', 'Text kept'])
})
