import { createContext } from 'react'
import type { RelativeFiles } from '../render/relative-links.ts'

/** Files of the same folder as the shown or edited one, if it can be read. */
export const RelativeFilesContext = createContext<RelativeFiles | null>(null)
