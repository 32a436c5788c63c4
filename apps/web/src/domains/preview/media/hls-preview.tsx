import { useEffect, useRef } from 'react'
import { unlessUnread } from '../reading/byte-source.ts'
import styles from './media-preview.module.css'
import { PreviewError } from '../preview-error.ts'
import type { ProviderProps } from '../providers.ts'
import { useFault } from '../use-preview-data.ts'
import { attachPlaylist } from './hls-player.ts'
import { MediaPlace, playedOn } from './media-preview.tsx'

/** Plays a stream that consists of many segments. */
export function HlsPreview({ source, isFull, playing }: ProviderProps) {
  const media = useRef<HTMLVideoElement>(null)
  const fail = useFault()
  useEffect(() => {
    const element = media.current
    if (!element) return undefined
    const left = new AbortController()
    const onFault = async (cause: unknown) => {
      const fault = cause instanceof PreviewError ? cause : new PreviewError('playlist', cause)
      const error = await unlessUnread(source, fault)
      if (!left.signal.aborted) fail(error)
    }
    attachPlaylist(element, { source, signal: left.signal, onFault: (cause) => void onFault(cause) }).catch(
      onFault,
    )
    return () => left.abort()
  }, [source, fail])
  return (
    <MediaPlace source={source} isFull={isFull} media={media}>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- added later from files in the same folder */}
      <video ref={media} className={styles.video} controls playsInline {...playedOn(playing)} />
    </MediaPlace>
  )
}
