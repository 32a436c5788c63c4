import { createContext } from 'react'
import type { RelativeFiles } from '../render/relative-links.ts'

/** Files beside the one that is shown or edited, where its folder can be read. */
export const RelativeFilesContext = createContext<RelativeFiles | null>(null)
