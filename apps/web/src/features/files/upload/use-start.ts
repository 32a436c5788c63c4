import type { BundleSnapshot } from '../../../domains/bundles/bundle-snapshot.ts'
import { getPicks, removePicks, type SharePick } from '../../../domains/transfers/uploads/share-picks.ts'
import {
  addShares,
  canStartAgain,
  numberOf,
  startSharesAgain,
  whenSettled,
} from '../../../domains/transfers/uploads/share-uploads.ts'
import type { UploadEntry } from '../../../domains/transfers/uploads/upload-store.ts'
import { uploads } from '../../../domains/transfers/uploads/uploads.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { notify } from '../../../lib/notices.ts'
import { isPublished, retryBundle, startBundle, startSealed } from './start-bundle.ts'
import type { UploadForm } from '../components/use-upload-form.ts'

/** The uploads that the start button starts. */
export interface Waiting {
  readonly ready: readonly SharePick[]
  readonly failed: readonly UploadEntry[]
  /** Failed bundles that the button retries. */
  readonly stuck: readonly BundleSnapshot[]
  /** Whether the chosen files share one link. */
  readonly isOne: boolean
}

export const keysOf = (entries: readonly UploadEntry[]) => entries.map(({ key }) => key)

/**
 * Starts uploads with separate links, and retries failed uploads.
 * @returns the keys of their entries, or `null` if the form is invalid
 */
function startShares(
  form: UploadForm,
  { ready, failed }: Pick<Waiting, 'ready' | 'failed'>,
): readonly string[] | null {
  const options = form.read(ready.length + failed.length)
  if (options === null) return null
  const again = startSharesAgain(failed, options)
  const others = keysOf(failed.filter((entry) => !canStartAgain(entry) && entry.state === 'failed'))
  uploads.retry(others)
  const isSingle = ready.length + failed.length === 1
  // Numbers continue after the numbers of retried uploads, so that each link suffix in the batch is different.
  const before = Math.max(failed.length, ...failed.map(numberOf))
  const chosen = ready.flatMap(({ bytes, handle }, index) =>
    bytes ? [{ file: bytes, handle, number: isSingle ? null : before + index + 1 }] : [],
  )
  const fresh = addShares(chosen, options)
  removePicks(ready.map(({ id }) => id))
  return [...keysOf(again), ...others, ...keysOf(fresh)]
}

/**
 * Returns a function that starts all waiting uploads. The function resolves with the keys of their rows when these
 * uploads have ended. It does not wait for retried bundles.
 */
export function useStart(form: UploadForm, settleSealing: () => Promise<boolean>) {
  const { t } = useT()

  const clearAfterAll = () => {
    const all = uploads.getAll().filter(({ batch }) => batch.kind !== 'mount')
    if (getPicks().length === 0 && all.every(({ state }) => state === 'completed')) form.clearPersonal()
  }
  const bundle = async (ready: readonly SharePick[]): Promise<string[]> => {
    const key = startBundle(form, ready)
    if (key === null) return []
    if (await isPublished(key)) {
      notify('success', t('bundling.ready'))
      clearAfterAll()
    }
    return [key]
  }
  const sealed = async ({ ready, isOne }: Pick<Waiting, 'ready' | 'isOne'>): Promise<string[]> => {
    const keys = ready.length === 0 ? [] : await startSealed(form, { picks: ready, isOne })
    if (keys === null || keys.length === 0) return []
    const published = await Promise.all(keys.map(isPublished))
    const count = published.filter(Boolean).length
    if (count === keys.length) {
      notify('success', t('bundling.ready'))
      clearAfterAll()
    }
    return keys
  }
  const shares = async (waiting: Pick<Waiting, 'ready' | 'failed'>): Promise<readonly string[]> => {
    const keys = startShares(form, waiting)
    if (keys === null || keys.length === 0) return []
    const doneCount = await whenSettled(keys)
    if (doneCount < keys.length) return keys
    notify('success', t('files.upload.allDone', { count: doneCount }))
    clearAfterAll()
    return keys
  }
  return async ({ ready, failed, stuck, isOne }: Waiting): Promise<readonly string[]> => {
    for (const one of stuck) retryBundle(form, one)
    const isSealed = ready.length > 0 && (await settleSealing())
    const keys = isSealed
      ? await Promise.all([sealed({ ready, isOne }), shares({ ready: [], failed })])
      : isOne
        ? await Promise.all([bundle(ready), shares({ ready: [], failed })])
        : [await shares({ ready, failed })]
    return keys.flat()
  }
}
