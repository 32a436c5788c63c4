import { createContext } from 'react'
import type { FilesBeside } from '../lib/markdown/beside.ts'

/** Files beside the one that is shown or edited, where its folder can be read. */
export const FilesBesideContext = createContext<FilesBeside | null>(null)
