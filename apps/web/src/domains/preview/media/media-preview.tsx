import { type RefObject, type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { Banner } from '../../../ui/feedback/message.tsx'
import { TruncationNotice } from '../truncation/truncation-notice.tsx'
import styles from './media-preview.module.css'
import type { PreviewSource } from '../preview-source.ts'
import type { Playing, ProviderProps } from '../providers.ts'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { useBrowserUrl, useFault } from '../use-preview-data.ts'
import { findMediaFault } from './media-fault.ts'
import { MediaBar } from './media-bar.tsx'
import { findPosition, storePosition, mediaKey } from './playback-positions.ts'
import { useMediaKeys } from './use-media-keys.ts'
import { useSubtitles } from './use-subtitles.ts'

export const VideoPreview = (props: ProviderProps) => <Media {...props} form="video" />
export const AudioPreview = (props: ProviderProps) => <Media {...props} form="audio" />

type Form = 'video' | 'audio'

function Media(props: ProviderProps & { form: Form }) {
  const { t } = useT()
  const url = useBrowserUrl(props.source, 'recording')
  if (url === null) return <SkeletonLines label={t('preview.loading')} />
  return <Player {...props} url={url} />
}

function Player({ source, playing, isFull, form, url }: ProviderProps & { form: Form; url: string }) {
  const { t } = useT()
  const fail = useFault()
  const [isOnlySound, setOnlySound] = useState(false)
  const media = useRef<HTMLVideoElement & HTMLAudioElement>(null)
  const common = {
    ref: media,
    src: url,
    controls: true,
    preload: 'metadata',
    onError: () => media.current && void findMediaFault(media.current, source).then(fail),
    onLoadedMetadata: () => setOnlySound(form === 'video' && media.current?.videoWidth === 0),
    ...playedOn(playing),
  } as const
  return (
    <MediaPlace source={source} isFull={isFull} media={media}>
      <TruncationNotice source={source} />
      {isOnlySound && <Banner tone="info">{t('viewer.media.onlySound')}</Banner>}
      {form === 'video' ? (
        // Subtitle files in the same folder are added as tracks later.
        // oxlint-disable-next-line jsx-a11y/media-has-caption -- as above
        <video className={isOnlySound ? styles.onlySound : styles.video} playsInline {...common} />
      ) : (
        // oxlint-disable-next-line jsx-a11y/media-has-caption -- a recording comes without captions
        <audio className={styles.audio} {...common} />
      )}
    </MediaPlace>
  )
}

/** Returns media event handlers that report playback and its end. */
export function playedOn(playing: Playing | undefined) {
  return (
    playing && {
      autoPlay: playing.isStarted,
      onPlay: () => playing.onPlaying(true),
      // A recording also fires a pause event at its end. This event must not stop the next recording.
      onPause: (event: SyntheticEvent<HTMLMediaElement>) => playing.onPlaying(event.currentTarget.ended),
      onEnded: playing.onEnded,
    }
  )
}

interface MediaPlaceProps {
  source: PreviewSource
  isFull: boolean
  media: RefObject<HTMLVideoElement | null>
  children: React.ReactNode
}

/** Adds the features that all players share: keys, resume position, speed and subtitles. */
export function MediaPlace({ source, isFull, media, children }: MediaPlaceProps) {
  const { t } = useT()
  const subtitles = useSubtitles(source, media)
  useMediaKeys(media, { hasSides: !isFull })
  usePosition(source, media)
  return (
    <div className={styles.media}>
      {children}
      <MediaBar onSpeed={(speed) => setSpeed(media.current, speed)} subtitles={subtitles} />
      <p className={styles.keys}>{t(isFull ? 'viewer.media.keysFull' : 'viewer.media.keys')}</p>
    </div>
  )
}

function setSpeed(media: HTMLMediaElement | null, speed: number): void {
  if (media) media.playbackRate = speed
}

function usePosition(source: PreviewSource, media: RefObject<HTMLMediaElement | null>): void {
  // The position is stored under the name of the file. Names of encrypted files must not be stored.
  const file = source.bytes ? null : mediaKey(source)
  useEffect(() => {
    const element = media.current
    if (!element || file === null) return undefined
    const goOn = () => {
      const seconds = findPosition(file)
      if (seconds > 0 && seconds < element.duration) element.currentTime = seconds
    }
    const keep = () => {
      if (element.duration > 0) storePosition(file, element.currentTime, element.duration)
    }
    element.addEventListener('loadedmetadata', goOn, { once: true })
    const events = ['pause', 'seeked', 'ended'] as const
    for (const name of events) element.addEventListener(name, keep)
    window.addEventListener('pagehide', keep)
    return () => {
      element.removeEventListener('loadedmetadata', goOn)
      for (const name of events) element.removeEventListener(name, keep)
      window.removeEventListener('pagehide', keep)
      keep()
    }
  }, [file, media])
}
