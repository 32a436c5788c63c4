import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { Entry } from '../../models/entries.ts'
import { neighboursOf, nextToPlay } from '../../models/neighbours.ts'
import { useFolderScreen } from '../explorer-context.ts'

/** The shown file and its neighbours. */
export function useNeighbours(name: string, isEditing: boolean) {
  const { path, entries, all, address, select } = useFolderScreen()
  const files = useMemo(() => {
    const isShown = entries.some((entry) => entry.name === name)
    return neighboursOf(isShown ? entries : all, name)
  }, [entries, all, name])
  const index = files.findIndex((entry) => entry.name === name)
  const present = files[index]
  const [last, setLast] = useState(present)
  if (present && present !== last) setLast(present)
  // After an entry disappears, this hook keeps the entry until another file is shown, because the buttons of the entry
  // can have the focus.
  const entry = present ?? (last?.name === name ? last : undefined)
  // Makes the shown file active in the list.
  const shownPath = present?.path
  const followShown = useEffectEvent((active: string) =>
    select((selection) => ({ ...selection, active, anchor: active })),
  )
  useEffect(() => {
    if (shownPath !== undefined) followShown(shownPath)
  }, [shownPath])
  const show = (neighbour: Entry | undefined) => {
    if (neighbour) address.showFile(neighbour.name, { replace: true })
  }
  useGone({
    name,
    index,
    files,
    isOff: isEditing,
    show,
    close: () => address.showFile(null, { replace: true }),
  })
  const before = index > 0 ? files[index - 1] : undefined
  const after = index === -1 ? undefined : files[index + 1]
  const played = nextToPlay(files, index)
  return {
    path: `${path}${name}`,
    entry,
    index,
    count: files.length,
    after,
    goBack: before ? () => show(before) : null,
    goOn: after ? () => show(after) : null,
    playOn: played ? () => show(played) : null,
  }
}

export type Neighbours = ReturnType<typeof useNeighbours>

const BELIEVED_GONE_MS = 400

interface Gone {
  name: string
  index: number
  files: readonly Entry[]
  /**
   * Whether the file is being edited. This hook then does nothing, so that an edited file stays open even if it is
   * deleted.
   */
  isOff: boolean
  show: (entry: Entry) => void
  close: () => void
}

/**
 * When the shown file disappears, for example because it was deleted, shows the file at its position instead. Closes
 * the preview if no file is left.
 */
function useGone(gone: Gone) {
  const seen = useRef<{ name: string; index: number } | null>(null)
  useEffect(() => {
    const { name, index, files, isOff, show, close } = gone
    if (isOff) return undefined
    const before = seen.current
    if (index !== -1) seen.current = { name, index }
    if (index !== -1 || before?.name !== name) return undefined
    // Waits a moment, because after a rename the URL changes later than the listing.
    const believed = setTimeout(() => {
      seen.current = null
      const next = files[Math.min(before.index, files.length - 1)]
      if (next) show(next)
      else close()
    }, BELIEVED_GONE_MS)
    return () => clearTimeout(believed)
  })
}
