import { createContext } from 'react'
import type { FilesBeside } from '../render/relative-links.ts'

/** Files beside the one that is shown or edited, where its folder can be read. */
export const FilesBesideContext = createContext<FilesBeside | null>(null)
