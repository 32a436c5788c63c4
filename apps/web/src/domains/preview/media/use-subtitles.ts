import { MIB } from '@dropleaf/contract'
import { type RefObject, useEffect, useMemo, useState } from 'react'
import { readBeside } from '../reading/byte-source.ts'
import type { PreviewSource } from '../preview-source.ts'
import { findSubtitles, type SubtitleFile, toWebVtt } from './subtitles.ts'

const MAX_BYTES = 4 * MIB

export interface Subtitles {
  readonly files: readonly SubtitleFile[]
  /** Name of the selected file; empty for no subtitles. */
  readonly chosen: string
  readonly hasFailed: boolean
  readonly choose: (name: string) => void
}

/** Loads subtitles from the same folder and shows the first ones by default. */
export function useSubtitles(source: PreviewSource, media: RefObject<HTMLMediaElement | null>): Subtitles {
  const { folder, name } = source
  const files = useMemo(() => findSubtitles(name, folder?.names ?? []), [name, folder])
  const [picked, setPicked] = useState<string | null>(null)
  const [failed, setFailed] = useState<string | null>(null)
  const chosen = picked ?? files[0]?.name ?? ''
  const file = chosen === '' ? null : (folder?.find(chosen) ?? null)
  const address = file?.textUrl
  useEffect(() => {
    const element = media.current
    if (!element || !file || address === undefined) return undefined
    const left = new AbortController()
    const track = document.createElement('track')
    const load = async () => {
      const bytes = await readBeside(file, MAX_BYTES, left.signal)
      const { decodeGuessed } = await import('../../../lib/text/detect-encoding.ts')
      const { text } = await decodeGuessed(bytes, false)
      if (left.signal.aborted) return
      // Our CSP allows media from blob URLs.
      track.src = URL.createObjectURL(new Blob([toWebVtt(text)], { type: 'text/vtt' }))
      track.kind = 'subtitles'
      track.label = chosen
      element.append(track)
      track.track.mode = 'showing'
    }
    load().catch(() => {
      if (!left.signal.aborted) setFailed(chosen)
    })
    return () => {
      left.abort()
      if (track.src) URL.revokeObjectURL(track.src)
      track.remove()
    }
    // The dependencies exclude the headers, because a new credential in the headers does not change the file.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- as above
  }, [address, chosen, media])
  return { files, chosen, hasFailed: failed === chosen && chosen !== '', choose: setPicked }
}
