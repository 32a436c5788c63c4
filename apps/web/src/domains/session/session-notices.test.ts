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

test('the end of a session is one notice, whatever ends with it', () => {
  startSession({ kind: 'admin', token: 't' })
  notify('success', 'Deleted', { action: { label: 'Undo', run: () => undefined } })
  endSession('admin-expired')
  noticeSessionEnd('error', 'Expired')
  noticeFailure(expired, 'Not copied')
  noticeLeft('Text kept')
  noticeLeft('Text kept')
  expect(texts()).toEqual(['Expired\nText kept'])
})

test('what the end of a session said goes when somebody logs in', () => {
  startSession({ kind: 'admin', token: 't' })
  endSession('admin-expired')
  noticeLeft('One upload waits')
  notify('info', 'Something else')
  startSession({ kind: 'admin', token: 't2' })
  expect(texts()).toEqual(['Something else'])
})

test('what is kept is told also when it is known first', () => {
  noticeLeft('Text kept')
  noticeSessionEnd('error', 'Expired')
  expect(texts()).toEqual(['Text kept\nExpired'])
})

test('a failure of an earlier credential is told to the one who has logged in since', () => {
  startSession({ kind: 'admin', token: 't2' })
  noticeFailure(expired, 'Not copied')
  noticeLeft('Text kept')
  expect(texts()).toEqual(['Not copied', 'Text kept'])
})
