import { useSyncExternalStore } from 'react'
import { i18n } from '../../../i18n/i18n.ts'
import { noticeLeft } from '../../session/session-notices.ts'
import { holdForOwner } from '../../session/session-owner.ts'
import { readStored, writeStored } from '../../../lib/browser/storage.ts'
import { UPLOAD_METHODS, type UploadMethod } from '@dropleaf/uploader'
import { type UploadEntry, UploadStore } from './upload-store.ts'

/** The uploads of this tab. They outlive their page, and wait for their owner when a session expires. */
export const uploads = new UploadStore()

const getAll = () => uploads.getAll()
const subscribe = (listener: () => void) => uploads.subscribe(listener)
export const useUploads = (): readonly UploadEntry[] => useSyncExternalStore(subscribe, getAll, getAll)

holdForOwner({
  onAway() {
    uploads.rest()
    // Listeners are notified of a logout after this, and then nothing waits.
    queueMicrotask(() => {
      const count = uploads.countResting()
      if (count > 0) noticeLeft(i18n.t('tasks.notice.waiting', { count }))
    })
  },
  onBack: () => uploads.wake(),
  onGone: ({ isLogout }) => uploads.leave({ isForGood: isLogout }),
})

if (typeof window !== 'undefined') {
  /** The browser asks before a tab with running uploads is closed. */
  window.addEventListener('beforeunload', (event) => {
    if (uploads.isBusy()) event.preventDefault()
  })
  uploads.setOffline(!navigator.onLine)
  window.addEventListener('online', () => uploads.setOffline(false))
  window.addEventListener('offline', () => uploads.setOffline(true))
}

const METHOD_KEY = 'dropleaf_upload_method'
export type MethodChoice = UploadMethod | 'auto'
export const METHOD_CHOICES: readonly MethodChoice[] = ['auto', ...UPLOAD_METHODS]

/** The upload method for mounts; by default it depends on the size. */
export function getMethodChoice(): MethodChoice {
  const stored = readStored(METHOD_KEY)
  return UPLOAD_METHODS.find((method) => method === stored) ?? 'auto'
}

export function setMethodChoice(choice: MethodChoice): void {
  writeStored(METHOD_KEY, choice === 'auto' ? null : choice)
}
