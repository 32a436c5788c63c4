/** Resolves to this machine, but browsers treat it as another one: over http its pages lack secure-context features. */
export const LAN_HOST = 'lan.test'

/** The address of a local server as seen from the local network. */
export const fromLan = (origin: string): string => origin.replace('127.0.0.1', LAN_HOST)
