/** Leads to this machine, and to browsers it is another one: over http they keep much from its pages. */
export const LAN_HOST = 'lan.test'

/** The server of an origin on this machine, as a neighbour in the network would reach it. */
export const fromLan = (origin: string): string => origin.replace('127.0.0.1', LAN_HOST)
