import { createContext, useContext } from 'react'

/** Whether content is an offline copy, which the page already shows: its loading time is then irrelevant. */
export const IsCopyContext = createContext(false)
export const useIsCopy = (): boolean => useContext(IsCopyContext)
