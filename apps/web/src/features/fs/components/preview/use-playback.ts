import { useState } from 'react'
import { useSettings } from '../../models/settings.ts'

/** Playback state that carries over to the next file. */
export function usePlayback(playOn: (() => void) | null) {
  const { playsOn } = useSettings()
  const [isStarted, setStarted] = useState(false)
  return {
    isStarted,
    onPlaying: setStarted,
    onEnded: () => {
      if (playsOn && playOn) playOn()
      else setStarted(false)
    },
  }
}
