import { useState } from 'react'
import { useSettings } from '../../models/settings.ts'

/** Playback state that is kept from one file to the next. */
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
