import { createContext, useContext } from 'react'

/**
 * Whether the content is an offline copy. The page then reports this itself, and components do not show the age of the
 * data.
 */
export const IsCopyContext = createContext(false)
export const useIsCopy = (): boolean => useContext(IsCopyContext)
