import { createContext, useContext } from 'react'

/** Whether what a part of the page shows is a copy, about which the page has said so: when it was fetched says nothing then. */
export const IsCopyContext = createContext(false)
export const useIsCopy = (): boolean => useContext(IsCopyContext)
