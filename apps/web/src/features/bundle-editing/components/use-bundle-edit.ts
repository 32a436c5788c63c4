import type { ManifestInput, PasteContentType } from '@dropleaf/contract'
import { useEffect, useEffectEvent, useState } from 'react'
import { createTextDocument } from '../../../domains/editor/document/text-document.ts'
import { keepLineEndings } from '../../../domains/editor/document/line-endings.ts'
import type { BundleAccess, NewFile } from '../models/bundle-access.ts'
import {
  type EditedItem,
  inputsOf,
  itemsOf,
  newPaths,
  withFiles,
  withReplacement,
} from '../models/edited-items.ts'
import { areSame, compareManifests, type ComparedManifest } from '../models/manifest-changes.ts'

const EMPTY: ComparedManifest = { title: null, page: null, items: [] }
const NO_PAGE = { type: 'text/markdown', text: '' } as const

/** The items of a bundle, and the uploads of new items. */
function useItems(access: BundleAccess) {
  const [items, setItems] = useState<readonly EditedItem[]>(() => itemsOf(access.published))
  const [isFull, setFull] = useState(false)
  /** The files of the uploads that this editor started. */
  const [files] = useState(() => new Map<string, File>())

  /** Starts uploads. Returns `null` if the bundle has too few free object numbers. */
  const start = (chosen: readonly NewFile[]) => {
    const started = access.start(chosen)
    setFull(started === null)
    if (started === null) return null
    return started.flatMap(({ number, upload }, index) => {
      const one = chosen[index]
      if (!one) return []
      files.set(upload, one.file)
      return { path: one.path, number, sizeBytes: one.file.size, upload }
    })
  }

  const add = (chosen: readonly NewFile[]) => {
    const paths = newPaths(
      items,
      chosen.map(({ path }) => path),
    )
    const added = start(chosen.map(({ file }, index) => ({ path: paths[index] ?? file.name, file })))
    if (added) setItems(withFiles(items, added))
  }
  const replace = ({ key, path, upload }: EditedItem, file: File) => {
    const [replacement] = start([{ path, file }]) ?? []
    if (!replacement) return
    if (upload !== null) access.uploads.drop([upload])
    setItems(withReplacement(items, key, replacement))
  }
  const remove = ({ key, upload }: EditedItem) => {
    if (upload !== null) access.uploads.drop([upload])
    setItems(items.filter((item) => item.key !== key))
  }
  return { items, setItems, add, replace, remove, isFull, files }
}

/** Cancels unfinished uploads when the editor closes. */
function useEndOfUploads(access: BundleAccess): void {
  const end = useEffectEvent(() => access.close())
  useEffect(() => () => end(), [])
}

/**
 * State of an edit of a bundle.
 * @param makeAccess called once: the revision at the first render stays the base of the edit
 */
export function useBundleEdit(makeAccess: () => BundleAccess) {
  const [access] = useState(makeAccess)
  const page = access.published?.page ?? NO_PAGE
  const [title, setTitle] = useState(access.published?.title ?? '')
  const [contentType, setContentType] = useState<PasteContentType>(page.type)
  const [document] = useState(() =>
    createTextDocument(page.text, { keepForm: keepLineEndings, text: page.text }),
  )
  const content = useItems(access)
  const [error, setError] = useState<unknown>(null)
  const [step, setStep] = useState<'idle' | 'uploading' | 'publishing'>('idle')
  const [isStuck, setStuck] = useState(false)
  useEndOfUploads(access)

  const manifest = (): ManifestInput => ({
    title: title.trim() || null,
    page: document.isBlank() ? null : { type: contentType, text: document.read() },
    items: inputsOf(content.items),
  })
  const hasChanges = () => !areSame(compareManifests(access.published ?? EMPTY, manifest()))

  /** Waits for the uploads, then publishes. @returns whether the bundle was published */
  const publish = async (expectedRevision = access.revision): Promise<boolean> => {
    setError(null)
    setStuck(false)
    const waiting = content.items
      .flatMap(({ upload }) => upload ?? [])
      .filter((key) => !access.uploads.isStored(key))
    setStep(waiting.length > 0 ? 'uploading' : 'publishing')
    try {
      if (!(await access.whenStored(manifest(), waiting))) {
        setStuck(true)
        return false
      }
      setStep('publishing')
      await access.publish(manifest(), expectedRevision)
      return true
    } catch (failure) {
      setError(failure)
      return false
    } finally {
      setStep('idle')
    }
  }
  return {
    access,
    title,
    setTitle,
    contentType,
    setContentType,
    document,
    ...content,
    error,
    forgetError: () => setError(null),
    step,
    isStuck,
    manifest,
    hasChanges,
    publish,
  }
}

export type BundleEdit = ReturnType<typeof useBundleEdit>
