import { useSyncExternalStore } from 'react'
import { onReadingSettings, readingSettings, type ReadingSettings } from './reading-settings.ts'

export const useReadingSettings = (): ReadingSettings =>
  useSyncExternalStore(onReadingSettings, readingSettings, readingSettings)
