import { createContext } from 'react'
import type { RelativeFiles } from '../render/relative-links.ts'

/** Provides the files in the folder of the shown or edited file; `null` if the folder cannot be read. */
export const RelativeFilesContext = createContext<RelativeFiles | null>(null)
