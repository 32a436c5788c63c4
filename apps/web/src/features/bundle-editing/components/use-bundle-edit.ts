import type { BundleDetail, ManifestInput, PasteContentType } from '@dropleaf/contract'
import { useEffect, useEffectEvent, useState } from 'react'
import { createTextDocument } from '../../../domains/editor/document/text-document.ts'
import { keepLineEndings } from '../../../domains/editor/document/line-endings.ts'
import { publishRevision } from '../api/own-bundles.queries.ts'
import { dropObjects, isStored, startObjects, whenStored } from '../api/object-uploads.ts'
import {
  type EditedItem,
  freeNumbers,
  inputsOf,
  itemsOf,
  newPaths,
  withFiles,
  withReplacement,
} from '../models/edited-items.ts'
import { areSame, compareManifests, type ComparedManifest } from '../models/manifest-changes.ts'

export interface NewFile {
  readonly path: string
  readonly file: File
}

const EMPTY: ComparedManifest = { title: null, page: null, items: [] }
const NO_PAGE = { type: 'text/markdown', text: '' } as const

/** The items of a bundle, and the uploads of new items. */
function useItems(base: BundleDetail) {
  const [items, setItems] = useState<readonly EditedItem[]>(() => itemsOf(base.manifest))
  const [used, setUsed] = useState<readonly number[]>(base.object_numbers)
  const [isFull, setFull] = useState(false)
  /** All uploads that this editor started, including those of items that were removed or replaced again. */
  const [started, setStarted] = useState<readonly string[]>([])
  /** The files of these uploads. */
  const [files] = useState(() => new Map<string, File>())

  /** Starts uploads. Returns `null` if the bundle has too few free object numbers. */
  const start = (chosen: readonly NewFile[]) => {
    const numbers = freeNumbers(used, chosen.length)
    setFull(numbers === null)
    if (numbers === null) return null
    const objects = chosen.map(({ path, file }, index) => ({ number: numbers[index] ?? 0, path, file }))
    const keys = startObjects(base.id, objects)
    setUsed([...used, ...numbers])
    setStarted([...started, ...keys])
    for (const [index, key] of keys.entries()) {
      const file = chosen[index]?.file
      if (file) files.set(key, file)
    }
    return objects.map(({ number, path, file }, index) => ({
      path,
      number,
      sizeBytes: file.size,
      upload: keys[index] ?? '',
    }))
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
    if (upload !== null) dropObjects([upload])
    setItems(withReplacement(items, key, replacement))
  }
  const remove = ({ key, upload }: EditedItem) => {
    if (upload !== null) dropObjects([upload])
    setItems(items.filter((item) => item.key !== key))
  }
  return { items, setItems, add, replace, remove, isFull, started, files }
}

/** Cancels the uploads if the editor closes without publishing. */
function useEndOfUploads(keys: readonly string[]): void {
  const end = useEffectEvent(() => dropObjects(keys))
  useEffect(() => () => end(), [])
}

/**
 * State of an edit of a bundle.
 * @param detail the bundle. Its revision at the first render stays the base of the edit.
 */
export function useBundleEdit(detail: BundleDetail) {
  const [base] = useState(detail)
  const page = base.manifest?.page ?? NO_PAGE
  const [title, setTitle] = useState(base.manifest?.title ?? '')
  const [contentType, setContentType] = useState<PasteContentType>(page.type)
  const [document] = useState(() =>
    createTextDocument(page.text, { keepForm: keepLineEndings, text: page.text }),
  )
  const content = useItems(base)
  const [error, setError] = useState<unknown>(null)
  const [step, setStep] = useState<'idle' | 'uploading' | 'publishing'>('idle')
  const [isStuck, setStuck] = useState(false)
  useEndOfUploads(content.started)

  const manifest = (): ManifestInput => ({
    title: title.trim() || null,
    page: document.isBlank() ? null : { type: contentType, text: document.read() },
    items: inputsOf(content.items),
  })
  const hasChanges = () => !areSame(compareManifests(base.manifest ?? EMPTY, manifest()))

  /** Waits for the uploads, then publishes. @returns whether the bundle was published */
  const publish = async (expectedRevision = base.revision): Promise<boolean> => {
    setError(null)
    setStuck(false)
    const waiting = content.items.flatMap(({ upload }) => upload ?? []).filter((key) => !isStored(key))
    setStep(waiting.length > 0 ? 'uploading' : 'publishing')
    try {
      if (!(await whenStored(waiting))) {
        setStuck(true)
        return false
      }
      setStep('publishing')
      await publishRevision(base.id, manifest(), expectedRevision)
      return true
    } catch (failure) {
      setError(failure)
      return false
    } finally {
      setStep('idle')
    }
  }
  return {
    base,
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
