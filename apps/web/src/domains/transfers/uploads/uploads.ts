import { useSyncExternalStore } from 'react'
import { i18n } from '../../../i18n/i18n.ts'
import { noticeLeft } from '../../session/session-notices.ts'
import { holdForOwner } from '../../session/session-owner.ts'
import { readStored, writeStored } from '../../../lib/browser/storage.ts'
import { UPLOAD_METHODS, type UploadMethod } from '@dropleaf/uploader'
import { type UploadEntry, UploadStore } from './upload-store.ts'

/**
 * The uploads in this tab. They continue when the user leaves the page. When the session expires, they wait for the
 * same user.
 */
export const uploads = new UploadStore()

const getAll = () => uploads.getAll()
const subscribe = (listener: () => void) => uploads.subscribe(listener)
export const useUploads = (): readonly UploadEntry[] => useSyncExternalStore(subscribe, getAll, getAll)

holdForOwner({
  onAway() {
    uploads.rest()
    // Runs after the listeners of a logout. After a logout, no uploads wait.
    queueMicrotask(() => {
      const count = uploads.countResting()
      if (count > 0) noticeLeft(i18n.t('tasks.notice.waiting', { count }))
    })
  },
  onBack: () => uploads.wake(),
  onGone: ({ isLogout }) => uploads.leave({ isForGood: isLogout }),
})

if (typeof window !== 'undefined') {
  /** Makes the browser ask for confirmation before it closes a tab with uploads that run or wait. */
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

/** The upload method for mounts. `auto` chooses the method by the size of the file. */
export function getMethodChoice(): MethodChoice {
  const stored = readStored(METHOD_KEY)
  return UPLOAD_METHODS.find((method) => method === stored) ?? 'auto'
}

export function setMethodChoice(choice: MethodChoice): void {
  writeStored(METHOD_KEY, choice === 'auto' ? null : choice)
}
