import { createContext, useContext } from 'react'

/** Whether the content is an offline copy. The page then shows this itself, and the age of the data is left out. */
export const IsCopyContext = createContext(false)
export const useIsCopy = (): boolean => useContext(IsCopyContext)
